import { join } from 'node:path'
import type { Lock, PinnedPrompt } from '../../src/core/prompt.ts'
import { liveLock, lockOf } from '../helpers/pinned.ts'
import { type Files, numberedLock } from './app.ts'
import type { BundlerName } from './bundlers.ts'
import type { Extra } from './configs.ts'

/**
 * A small app, and what it says when its bundle is run. Apps that differ in nothing but their files
 * are entries of one build.
 */
export interface Case {
  readonly title: string
  readonly files: Files
  /** All lines that the app prints, in order. */
  readonly says: readonly unknown[]
  /** The numbers of the prompts whose text is in the bundle, if it matters. */
  readonly ships?: readonly number[]
  /** Default: {@link NUMBERED}. */
  readonly lock?: Lock
  /** Entries in addition to `main.js`. */
  readonly entries?: Readonly<Record<string, string>>
  /** Another plugin of the app. */
  readonly extra?: Extra
  /** Whether it is built alone: other entries would change which chunks it loads. */
  readonly isAlone?: boolean
  /** Where the app itself needs the bundler's own configuration or can't be built by it: why. */
  readonly impossible?: Partial<Record<BundlerName, string>>
  /** Where more is shipped than `ships`, all prompts: why. */
  readonly shipsAll?: Partial<Record<BundlerName, string>>
}

const SAY = `export const said = []\nexport const say = (value) => said.push(value)\n`
const END = `\nqueueMicrotask(() => setTimeout(() => console.log(JSON.stringify(said))))\n`

/** An app of one file, which prints something. */
function app(code: string, others: Files = {}): Files {
  const head = `import { said, say } from './say.js'\n`
  return { 'say.js': SAY, 'main.js': `${head}${code}${END}`, ...others }
}

/** A module that prints something too. */
function part(code: string): string {
  return `import { say } from './say.js'\n${code}\n`
}

const PROMPTS = `import { prompts } from 'virtual:prompts'\n`
const COUNT = 20

/** The lock of a case without one of its own, and the numbers of its prompts. */
export const NUMBERED: Lock = numberedLock(COUNT)
export const ALL: readonly number[] = Array.from({ length: COUNT }, (_, index) => index)
const text = (number: number, name: string): string => `Text number <${number}> for ${name}.`

const STAGING = `import { prompts as staging } from 'virtual:prompts/staging'\n`

const staged = (slug: string, number: number): Partial<PinnedPrompt> => ({
  slug,
  version: 'v23',
  system: `Text number <${number}> for {{ name }}.`,
})

/** Prompts 5 and 6 have staging versions with the texts of 105 and 106, and 200 has no other. */
const STAGED = lockOf({
  live: NUMBERED.parts,
  staging: [staged('prompt-5', 105), staged('prompt-6', 106), staged('prompt-new', 200)],
})

const ODD = ['default', 'then', '__proto__', 'constructor', '3d', '🎉 party', '', 'a"b\\c', 'class']

/** Why esbuild ships all prompts of a file that a plugin changes. Bun drops unused ones by itself. */
const TAKEN =
  'a plugin takes the file, and no other can see what becomes of it: the whole namespace is safe'

/** Why webpack, Rspack and Rsbuild ship all prompts where they can't see through an expression. */
const OPAQUE = 'its tree shaking follows members of an import, not of what an expression returns'
const BY_MEMBER = { webpack: OPAQUE, Rspack: OPAQUE, Rsbuild: OPAQUE }

const CHANGES_CODE = join(import.meta.dirname, 'plugins/changes-code.ts')

/** Every case is built and run by every bundler. */
export const CASES: readonly Case[] = [
  {
    title: 'members by dot',
    files: app(`${PROMPTS}say(prompts.prompt5.render({ name: 'Ada' }).text)`),
    says: [text(5, 'Ada')],
    ships: [5],
  },
  {
    title: 'members in brackets',
    files: app(
      PROMPTS +
        "say(prompts['prompt-5'].render({ name: 'Ada' }).text)\nsay(prompts[`prompt-6`]?.version)",
    ),
    says: [text(5, 'Ada'), 'v22'],
    ships: [5, 6],
  },
  {
    title: 'destructuring',
    files: app(
      `${PROMPTS}const { prompt5, 'prompt-6': six, prompt7: { version } } = prompts\n` +
        `say([prompt5, six].map((prompt) => prompt.render({ name: 'Ada' }).text))\nsay(version)`,
    ),
    says: [[text(5, 'Ada'), text(6, 'Ada')], 'v22'],
    ships: [5, 6, 7],
  },
  {
    title: 'an import by another name, and an import that is not used',
    files: app(
      `import { prompts as texts, toOpenAI } from 'virtual:prompts'\nimport './unused.js'\n` +
        `say(texts.prompt5.slug)`,
      { 'unused.js': PROMPTS },
    ),
    says: ['prompt-5'],
    ships: [5],
  },
  {
    title: 'a function that is never called',
    files: app(`import { used } from './functions.js'\nsay(used())`, {
      'functions.js': `${PROMPTS}export const used = () => prompts.prompt5.slug\nexport const unused = () => prompts.prompt6.slug\n`,
    }),
    says: ['prompt-5'],
  },
  {
    title: 'a re-export through another file',
    files: app(`import { prompts } from './prompts.js'\nsay(prompts.prompt5.slug)`, {
      'prompts.js': `export { prompts } from 'virtual:prompts'\n`,
    }),
    says: ['prompt-5'],
  },
  {
    title: 'a dynamic import of all prompts',
    files: app(
      `const { prompts } = await import('virtual:prompts')\nsay(prompts['prompt-5'].slug)`,
    ),
    says: ['prompt-5'],
  },
  {
    // Some bundlers work the name out; with the others the import fails when it runs.
    title: 'a name and a dynamic import whose id is put together',
    files: app(
      `${PROMPTS}say(prompts.prompt5.slug)\n` +
        `const all = await import('virtual:' + 'prompts').catch(() => undefined)\n` +
        `say(all === undefined ? 'prompt-7' : all.prompts['prompt-7'].slug)`,
    ),
    says: ['prompt-5', 'prompt-7'],
  },
  {
    title: 'imports of whole other modules',
    files: app(
      `${PROMPTS}import * as other from './other.js'\nsay([prompts.prompt5.slug, other.six])`,
      { 'other.js': `${PROMPTS}export const six = prompts.prompt6.slug\n` },
    ),
    says: [['prompt-5', 'prompt-6']],
    ships: [5, 6],
  },
  {
    title: 'awaited and promised imports',
    isAlone: true,
    files: app(
      `const { prompts: { prompt5 }, toOpenAI } = await import('virtual:prompts')\n` +
        `say(toOpenAI(prompt5, { name: 'Ada' }).messages[0].content)\n` +
        `say((await import('virtual:prompts')).prompts.prompt6.slug)\n` +
        `const { prompts } = await import('virtual:prompts')\nsay(prompts['prompt-7'].slug)\n` +
        `await import('virtual:prompts').then(({ prompts }) => say(prompts.prompt8.slug))`,
    ),
    says: [text(5, 'Ada'), 'prompt-6', 'prompt-7', 'prompt-8'],
    ships: [5, 6, 7, 8],
    shipsAll: { webpack: OPAQUE },
  },
  {
    title: 'a namespace import',
    isAlone: true,
    files: app(`import * as prompts from 'virtual:prompts/all'\nsay(prompts.prompt5.slug)`),
    says: ['prompt-5'],
    ships: [5],
  },
  {
    title: 'chunks: each ships its own prompts',
    isAlone: true,
    files: app(
      `${PROMPTS}say(prompts.prompt1.slug)\nawait import('./left.js')\nawait import('./right.js')`,
      {
        'left.js': part(`${PROMPTS}say(prompts.prompt1.slug)\nsay(prompts.prompt2.slug)`),
        'right.js': part(`${PROMPTS}say(prompts.prompt1.slug)\nsay(prompts.prompt3.slug)`),
      },
    ),
    says: ['prompt-1', 'prompt-1', 'prompt-2', 'prompt-1', 'prompt-3'],
    ships: [1, 2, 3],
  },
  {
    title: 'several entries',
    files: app(`${PROMPTS}say(prompts.prompt1.slug)`, {
      'other.js': `${PROMPTS}console.log(JSON.stringify(prompts.prompt2.slug))\n`,
    }),
    entries: { other: 'other.js' },
    says: ['prompt-1'],
    ships: [1, 2],
  },
  {
    title: 'one prompt is one object, however it is imported',
    files: app(
      `import { prompts } from 'virtual:prompts'\nimport * as all from 'virtual:prompts/all'\n` +
        `import { one } from './one.js'\nimport { every } from './every.js'\n` +
        `say([one, every['prompt-1'], every.prompt1, all.prompt1].every((prompt) => prompt === prompts.prompt1))`,
      {
        'one.js': `${PROMPTS}const { prompt1 } = prompts\nexport const one = prompt1\n`,
        'every.js': `${PROMPTS}export const every = prompts\n`,
      },
    ),
    says: [true],
  },
  {
    title: 'a flag that chooses one prompt of staging or live ships only its two versions',
    files: app(
      `${PROMPTS}${STAGING}for (const flag of [false, true]) {\n` +
        `const chosen = flag ? staging.prompt5 : prompts.prompt5\n` +
        `say(chosen.render({ name: 'Ada' }).text)\n}`,
    ),
    lock: STAGED,
    says: [text(5, 'Ada'), text(105, 'Ada')],
    ships: [5, 105],
  },
  {
    title: 'a flag that chooses staging or live before a prompt is named',
    files: app(
      `${PROMPTS}${STAGING}for (const flag of [false, true]) {\n` +
        `const { prompt5 } = flag ? staging : prompts\nsay(prompt5.render({ name: 'Ada' }).text)\n` +
        `say((flag ? staging : prompts).prompt6.version)\n}\nsay(staging.promptNew.environment)`,
    ),
    lock: STAGED,
    says: [text(5, 'Ada'), 'v22', text(105, 'Ada'), 'v23', 'test'],
    ships: [5, 6, 105, 106, 200],
    shipsAll: BY_MEMBER,
  },
  {
    title: 'one object of a prompt that is the same live and in staging',
    files: app(
      `${PROMPTS}${STAGING}import { prompt8 } from './other.js'\n` +
        `say([staging.prompt8 === prompts.prompt8, staging['prompt-8'] === prompt8, prompt8.environment])\n` +
        `say(staging.prompt5 === prompts.prompt5)`,
      {
        'other.js': `${PROMPTS}export const { prompt8 } = prompts\n`,
      },
    ),
    lock: STAGED,
    says: [[true, true, 'live'], false],
    ships: [5, 8, 105],
  },
  {
    title:
      'all of staging, with the live versions of the other prompts and without those it replaces',
    files: app(
      `${STAGING}const name = ['prompt', 5].join('-')\nsay(staging[name].version)\nsay(Object.keys(staging).length)`,
    ),
    lock: STAGED,
    says: ['v23', 2 * COUNT + 2],
    ships: [...ALL.filter((number) => ![5, 6].includes(number)), 105, 106, 200],
  },
  {
    title: 'uses that are unclear get the whole',
    files: app(
      `${PROMPTS}const name = ['prompt', 8].join('-')\nsay(prompts[name].slug)\n` +
        `say(Object.keys(prompts).length)\nconst { prompt9, ...others } = prompts\n` +
        `say(Object.keys(others).length)\nconst pass = (all) => all.prompt10.slug\nsay(pass(prompts))\n` +
        `const alias = prompts\nsay(alias.prompt11.slug)`,
    ),
    says: ['prompt-8', 2 * COUNT, 2 * COUNT - 1, 'prompt-10', 'prompt-11'],
    ships: ALL,
  },
  {
    title: 'a variable that shadows the import',
    files: app(
      `${PROMPTS}const inner = (prompts) => prompts.prompt6\n` +
        `say(inner({ prompt6: 6 }))\nsay(prompts.prompt5.slug)`,
    ),
    says: [6, 'prompt-5'],
  },
  {
    title: 'names that are not prompts',
    files: app(`${PROMPTS}say(typeof prompts.prompt5.toString)\nsay('prompt-100' in prompts)`),
    says: ['function', false],
  },
  {
    title: 'odd names',
    lock: liveLock(
      ...ODD.map((slug) => ({ slug, system: `{{ ${slug === '3d' ? 'a.b-c' : 'x'} }}` })),
    ),
    files: app(
      `${PROMPTS}import * as all from 'virtual:prompts/all'\n` +
        ODD.map((slug) => `say(prompts[${JSON.stringify(slug)}].slug)`).join('\n') +
        `\nconst { default: first, then, ['__proto__']: proto } = prompts\nsay([first.slug, then.slug, proto.slug])\n` +
        `say(prompts['3d'].render({ 'a.b-c': 1 }).text)\nsay(all.constructor.slug)\nsay([all.proto.slug, Object.keys(all).includes('__proto__')])\n` +
        `say((await Promise.resolve({ prompts })).prompts.then.slug)\nsay((await import('virtual:prompts')).prompts.then.slug)`,
    ),
    says: [
      ...ODD,
      ['default', 'then', '__proto__'],
      '1',
      'constructor',
      ['__proto__', false],
      'then',
      'then',
    ],
  },
  {
    title: 'adapters and the error',
    files: app(
      `import { prompts, PromptVariableError, toAnthropic, toOpenAI } from 'virtual:prompts'\n` +
        `say(toOpenAI(prompts.prompt5, { name: 'Ada' }).messages)\nsay(toAnthropic(prompts.prompt5, { name: 'Ada' }).system)\n` +
        `try { prompts.prompt5.render({}) } catch (error) { say([error instanceof PromptVariableError, error.missing]) }`,
    ),
    says: [[{ role: 'system', content: text(5, 'Ada') }], text(5, 'Ada'), [true, ['name']]],
    ships: [5],
  },
  {
    title: 'a TypeScript importer',
    files: app(`import { five } from './typed'\nsay(five('Ada'))`, {
      'typed.ts':
        `import { prompts, type Prompt } from 'virtual:prompts'\n` +
        `type Name = keyof typeof prompts\nexport type Five = Prompt\n` +
        `export const five = (name: string): string => (prompts.prompt5!).render({ name } as Record<string, string>).text\n`,
    }),
    says: [text(5, 'Ada')],
    ships: [5],
    impossible: {
      Rollup:
        'Rollup has no TypeScript; a plugin would make JavaScript of it before this one looks',
      webpack:
        'webpack has no TypeScript; a loader would make JavaScript of it before this one looks',
      Rspack: 'Rspack needs a rule for TypeScript: Rsbuild, which sets it, stands for it',
    },
  },
  {
    title: 'a package of the monorepo, which is linked',
    files: app(`import { shared } from 'shared'\n${PROMPTS}say(shared === prompts.prompt5)`, {
      'packages/shared/package.json': `{ "name": "shared", "type": "module", "exports": "./index.js" }\n`,
      'packages/shared/index.js': `${PROMPTS}export const shared = prompts['prompt-5']\n`,
    }),
    says: [true],
    ships: [5],
    impossible: {
      Rollup: 'Rollup finds no packages by itself',
    },
  },
  {
    title: 'source maps that lead back to the app',
    files: app(
      `${PROMPTS}try {\n  prompts.prompt5.render({})\n} catch ({ stack }) {\n` +
        `  say(/main\\.js:4/.test(stack))\n}`,
    ),
    says: [true],
  },
  {
    title: 'a worker with prompts of its own',
    files: app(
      `const { Worker } = process.getBuiltinModule('node:worker_threads')\n${PROMPTS}say(prompts.prompt1.slug)\n` +
        `const worker = new Worker(process.argv[1].replace('main.mjs', 'worker.mjs'))\n` +
        `say(await new Promise((resolve) => worker.once('message', resolve)))`,
      {
        'worker.js': `const { parentPort } = process.getBuiltinModule('node:worker_threads')\n${PROMPTS}parentPort.postMessage(prompts.prompt2.slug)\n`,
      },
    ),
    entries: { worker: 'worker.js' },
    says: ['prompt-1', 'prompt-2'],
    ships: [1, 2],
  },
  {
    title: 'importers that another plugin makes of .vue and .svelte files',
    extra: { file: CHANGES_CODE, at: 'before' },
    files: app(
      `import vue from './App.vue'\nimport './App.svelte'\nvue.setup({}, { expose() {} })`,
      {
        'App.vue': `<script setup>\nimport { say } from './say.js'\n${PROMPTS}say(prompts.prompt5.slug)\n</script>\n`,
        'App.svelte': `<script module>\nimport { say } from './say.js'\n${PROMPTS}say(prompts['prompt-6'].slug)\n</script>\n<p>Hello</p>\n`,
      },
    ),
    says: ['prompt-6', 'prompt-5'],
    ships: [5, 6],
    shipsAll: { esbuild: TAKEN },
  },
  ...(['before', 'after'] as const).map((at) => ({
    title: `a wrong name that a plugin ${at} this one replaces`,
    extra: { file: CHANGES_CODE, at },
    files: app(`${PROMPTS}say(prompts.prompt5.slug)\nsay(prompts.wrong.slug)`),
    says: ['prompt-5', 'prompt-6'],
    ships: [5, 6],
    shipsAll: { esbuild: TAKEN },
  })),
]
