import { describe, expect, test } from 'vitest'
import { findImpact } from '../../../src/judge/impact.ts'
import { APP_TSCONFIG, locatedApp, markedLines } from '../../helpers/app-folder.ts'
import { liveLock } from '../../helpers/pinned.ts'

const before = liveLock({ slug: 'reply', system: 'Answer {{ ticket }}', model: 'gpt-5.1' })
const after = liveLock({ slug: 'reply', system: 'Answer {{ message }}', model: 'gpt-6' })

const IMPORT = `import { prompts, type VariablesOf } from 'virtual:prompts'\n`

const TSCONFIG = APP_TSCONFIG.replace(
  '"strict"',
  '"stripInternal":true,"noUnusedLocals":true,"strict"',
)

/** What a module exports, and how code that imports it stops compiling in the line with the mark. */
const FORMS: Readonly<Record<string, readonly [module: string, importer: string]>> = {
  'a re-export': [
    `export { prompts } from 'virtual:prompts'`,
    `import { prompts } from './lib.js'\n§prompts.reply.render({ ticket: '' })`,
  ],
  'a re-export of everything': [
    `export * from 'virtual:prompts'`,
    `import { prompts } from './lib.js'\n§prompts.reply.render({ ticket: '' })`,
  ],
  'all prompts in a constant': [
    `${IMPORT}export const all = prompts`,
    `import { all } from './lib.js'\n§all.reply.render({ ticket: '' })`,
  ],
  'the variables of a prompt as a parameter': [
    `${IMPORT}export const ask = (values: VariablesOf<typeof prompts.reply>): void => void values`,
    `import { ask } from './lib.js'\n§ask({ ticket: '' })`,
  ],
  'the parameters of render': [
    `${IMPORT}export type Values = Parameters<typeof prompts.reply.render>[0]`,
    `import type { Values } from './lib.js'\n§export const values: Values = { ticket: '' }`,
  ],
  'an import type': [
    `export type All = typeof import('virtual:prompts').prompts`,
    `declare const all: import('./lib.js').All\n§all.reply.render({ ticket: '' })\nexport {}`,
  ],
  'a value of a prompt': [
    `${IMPORT}export const model = prompts.reply.model`,
    `import { model } from './lib.js'\n§export const old: 'gpt-5.1' = model`,
  ],
  'a prompt in a default export': [
    `${IMPORT}export default { reply: prompts.reply }`,
    `import lib from './lib.js'\n§lib.reply.render({ ticket: '' })`,
  ],
  'a private member': [
    `${IMPORT}export class Service {\n  private ask = (values: VariablesOf<typeof prompts.reply>): void => void values\n}`,
    `import { Service } from './lib.js'\n§new Service()['ask']({ ticket: '' })`,
  ],
  'a private parameter of a constructor': [
    `${IMPORT}const { reply } = prompts\nexport class Service {\n  private constructor(private reply = prompts.reply) { void this.reply }\n  static create() { return new Service(reply) }\n}`,
    `import { Service } from './lib.js'\n§Service.create()['reply'].render({ ticket: '' })`,
  ],
  'a value of a prompt in a private member': [
    `${IMPORT}export class Service {\n  private model = prompts.reply.model\n}`,
    `import { Service } from './lib.js'\n§export const old: 'gpt-5.1' = new Service()['model']`,
  ],
  'a member without declarations': [
    `${IMPORT}/** @internal */\nexport const { reply } = prompts`,
    `import { reply } from './lib.js'\n§reply.render({ ticket: '' })`,
  ],
  'a type without a name outside': [
    `${IMPORT}const make = () => {\n  interface Local { readonly values: VariablesOf<typeof prompts.reply> }\n  return {} as Local\n}\nexport const made = make()`,
    `import { made } from './lib.js'\n§made.values.ticket`,
  ],
  'what a class inherits': [
    `${IMPORT}class Base { reply = prompts.reply }\nexport class Service extends Base {}`,
    `import { Service } from './lib.js'\n§new Service().reply.render({ ticket: '' })`,
  ],
  'the names of prompts': [
    `${IMPORT}export const values: { [Key in keyof typeof prompts]: string } = {} as never`,
    `import { values } from './lib.js'\nvalues.reply.trim()`,
  ],
  'a text': [
    `${IMPORT}export const text = prompts.reply.render({ message: '' }).text`,
    `import { text } from './lib.js'\ntext.trim()`,
  ],
}

const REQUIRE = `const { prompts } = require('virtual:prompts')\n`

/** The same of CommonJS: what a module exports, and the file that loads it. */
const SCRIPTS: Readonly<
  Record<string, readonly [module: string, importer: string, extension?: string]>
> = {
  'a member': [`${REQUIRE}exports.reply = prompts.reply`, `const { reply } = require('./lib.cjs')`],
  'an element': [
    `const all = require('virtual:prompts')\nexports['reply'] = all.prompts.reply`,
    `const { reply } = require('./lib.cjs')`,
  ],
  'a member of module': [
    `${REQUIRE}module.exports.reply = prompts.reply`,
    `const lib = require('./lib.cjs')\nconst reply = lib.reply`,
  ],
  'an object': [
    `${REQUIRE}module.exports = { reply: prompts.reply }`,
    `const reply = require('./lib.cjs').reply`,
  ],
  'the module': [
    `module.exports = require('virtual:prompts')`,
    `const { reply } = require('./lib.cjs').prompts`,
  ],
  'a module that passes it on': [
    `const first = require('../0/lib.cjs')\nexports.reply = first.reply`,
    `const { reply } = require('./lib.cjs')`,
  ],
  'a member for an ECMAScript module': [
    `${REQUIRE}exports.reply = prompts.reply`,
    `import { reply } from './lib.cjs'`,
    'mjs',
  ],
  'a member for TypeScript': [
    `${REQUIRE}exports.reply = prompts.reply`,
    `import { reply } from './lib.cjs'`,
    'ts',
  ],
  'a type in a comment': [
    `/** @typedef {import('virtual:prompts').Prompts} All */\nmodule.exports = {}`,
    `const reply = /** @type {import('./lib.cjs').All} */ (Object({})).reply`,
  ],
}

/** Files by which a change reaches others than importers, or others through one that stays the same itself. */
const CHAINS: Readonly<Record<string, string>> = {
  'src/chain/first.ts': `${IMPORT}export interface Tools { readonly reply: typeof prompts.reply }\nexport const tools: Tools = prompts\n`,
  'src/chain/second.ts': `import { tools } from './first.js'\nexport const make = () => ({ tools, count: 1 })\n`,
  'src/chain/third.ts': `import { make } from './second.js'\nexport const made = make()\n`,
  'src/chain/main.ts': `import { made } from './third.js'\nmade.tools.reply.render({ ticket: '' }) // breaks: reply\n`,
  'src/old-errors.ts': `${IMPORT}const unused = prompts.reply\nexport const wrong: number = prompts.reply\n// @ts-expect-error: there is none\nwrong.toFixed()\n`,
  'src/circle/a.ts': `import type { B } from './b.js'\nexport interface A { readonly b: B }\n`,
  'src/circle/b.ts': `${IMPORT}import type { A } from './a.js'\nexport interface B { readonly a: A; readonly reply: typeof prompts.reply }\n`,
  'src/circle/main.ts': `import type { A } from './a.js'\ndeclare const a: A\na.b.a.b.reply.render({ ticket: '' }) // breaks: reply\n`,
  'src/script/lib.js': `${IMPORT.replace(', type VariablesOf', '')}export const ask = () => prompts.reply\n`,
  'src/script/main.js': `import { ask } from './lib.js'\nask().render({ ticket: '' }) // breaks: reply\n`,
  'src/component/Lib.vue': `<script lang="ts">${IMPORT}export const all = { prompts }</script>\n`,
  'src/component/main.ts': `import { all } from './Lib.vue'\nall.prompts.reply.render({ ticket: '' }) // breaks: reply\n`,
}

/** Types that code reads without an import. */
const GLOBALS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a global variable': {
    'src/global.d.ts': `declare const all: import('virtual:prompts').Prompts\n`,
  },
  'a global of a module': {
    'src/global.ts': `${IMPORT}declare global { var all: typeof prompts }\n`,
  },
  'a global of a module, by another file': {
    'src/lib.ts': `${IMPORT}export interface Lib { readonly reply: typeof prompts.reply }\n`,
    'src/global.ts': `import type { Lib } from './lib.js'\ndeclare global { var all: Lib }\n`,
  },
}

describe('a change of a contract reaches', () => {
  test('importers of modules whose emitted declaration stays the same', async () => {
    const files = Object.fromEntries([
      ...Object.values(FORMS).flatMap(([module, importer], index) => [
        [`src/${index}/lib.ts`, `${module}\n`],
        [`src/${index}/main.ts`, `${importer.replace(/§(.*)/, '$1 // breaks: reply')}\n`],
      ]),
      ...Object.entries(CHAINS),
    ])
    expect(await linesIn(files)).toEqual(markedLines(files, 'breaks'))
  })

  test.each([
    ['of a tsconfig', APP_TSCONFIG.replace('"strict"', '"allowJs":true,"strict"')],
    ['without a tsconfig', '{ "files": [] }'],
  ])('what loads a module of CommonJS, in an app %s', async (_, tsconfig) => {
    const files = Object.fromEntries(
      Object.values(SCRIPTS).flatMap(([module, importer, extension = 'cjs'], index) => [
        [`src/${index}/lib.cjs`, `${module}\n`],
        [
          `src/${index}/main.${extension}`,
          `${importer}\nreply.render({ ticket: '' }) // breaks: reply\n`,
        ],
      ]),
    )
    const lines = await linesIn({ 'tsconfig.json': tsconfig, ...files })
    expect(lines).toEqual(markedLines(files, 'breaks'))
  })

  test('a module whose declaration TypeScript fails to emit', async () => {
    const files = {
      'src/lib.js': `const { prompts } = require('virtual:prompts')
var self = module.exports = { self() { return self } }
self.text = prompts.reply.render({ ticket: '' }) // breaks: reply
`,
    }
    expect(await linesIn(files)).toEqual(markedLines(files, 'breaks'))
  })

  test.each(Object.entries(GLOBALS))('all files by %s', async (_, globals) => {
    const use = `all.reply.render({ ticket: '' }) // breaks: reply\n`
    const files = { ...globals, 'src/main.ts': `export {}\n${use}`, 'src/script.ts': use }
    expect(await linesIn(files)).toEqual(markedLines(files, 'breaks'))
  })
})

async function linesIn(files: Readonly<Record<string, string>>): Promise<string[]> {
  const location = await locatedApp({ 'tsconfig.json': TSCONFIG, ...files })
  const { findings } = await findImpact({ ...location, before, after })
  // Where only a value or a name of the prompt is wrong, the slug is not known.
  return findings.map(({ file, line }) => `${file}:${line} reply`).toSorted()
}
