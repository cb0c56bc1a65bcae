import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { prompts } from '../helpers/cli.ts'
import { installedApp, runNode } from '../helpers/installed-app.ts'
import { testService } from '../helpers/local-service.ts'
import { liveLock } from '../helpers/pinned.ts'
import { readmeSetups } from '../helpers/readme-setups.js'
import { installCommands } from './installed-commands.ts'
import { runLines } from './shell.ts'

const TRIAGE = {
  slug: 'support-triage',
  system: 'Sort it in a {{ tone }} tone.',
  user: '{{ ticket }}',
  version: 'v22',
}
const UNUSED = { slug: 'unused', system: 'Nobody uses this one.', version: 'v1' }
const RENDERED = 'Sort it in a calm tone.\n\nIt beeps'
const APP = `import { prompts } from 'virtual:prompts'
console.log(prompts.supportTriage.render({ ticket: 'It beeps', tone: 'calm' }).text)
`
const HTML = `<!doctype html>\n<script type="module" src="/src/main.ts"></script>\n`

/** What create-vite writes for vanilla-ts, as far as it decides what is found. */
const VITE_TEMPLATE = {
  compilerOptions: {
    target: 'es2023',
    module: 'esnext',
    lib: ['ES2023', 'DOM'],
    types: [],
    skipLibCheck: true,
    moduleResolution: 'bundler',
    verbatimModuleSyntax: true,
    moduleDetection: 'force',
    noEmit: true,
    strict: true,
  },
  include: ['src'],
}
/** The same for an app in JavaScript, with its declarations in the root. */
const CHECK_JS = {
  compilerOptions: { ...VITE_TEMPLATE.compilerOptions, allowJs: true, checkJs: true },
  include: ['src', 'prompts.d.ts'],
}

/** What a documented setup needs besides its files, and what running it must print. */
interface Expected {
  readonly packages: readonly string[]
  /** Default: `src/main.js`, which prints a rendered prompt. */
  readonly files?: Readonly<Record<string, string>>
  /** What is added to its last command. */
  readonly flags?: string
  /** The file of the bundle to run; without one, the last command prints the result. */
  readonly bundle?: RegExp
  /** What is said at the end. Default: what the prompt renders to. */
  readonly says?: RegExp
}

const MAIN: RegExp = /^main\.\w+$/

const EXPECTED: Readonly<Record<string, Expected>> = {
  vite: {
    packages: ['vite'],
    files: { 'index.html': HTML, 'tsconfig.json': JSON.stringify(VITE_TEMPLATE) },
    bundle: /^assets\/index-.*\.js$/,
  },
  rollup: { packages: ['rollup'], bundle: MAIN },
  rolldown: { packages: ['rolldown'], bundle: MAIN },
  webpack: { packages: ['webpack'], bundle: MAIN },
  rspack: { packages: ['@rspack/core'], bundle: MAIN },
  rsbuild: { packages: ['@rsbuild/core'], bundle: MAIN },
  esbuild: { packages: ['esbuild'], bundle: MAIN },
  bun: { packages: [], bundle: MAIN },
  vue: {
    packages: ['vite', 'vue', '@vitejs/plugin-vue'],
    files: {
      'src/main.js': `import { createSSRApp } from 'vue'\nimport { renderToString } from 'vue/server-renderer'\nimport App from './App.vue'\nconsole.log(await renderToString(createSSRApp(App)))\n`,
    },
    flags: '--ssr src/main.js',
    bundle: MAIN,
  },
  svelte: {
    packages: ['vite', 'svelte', '@sveltejs/vite-plugin-svelte'],
    files: {
      'src/main.js': `import { render } from 'svelte/server'\nimport App from './App.svelte'\nconsole.log(render(App).body)\n`,
    },
    flags: '--ssr src/main.js',
    bundle: MAIN,
  },
  vitest: { packages: ['vitest'], says: /Tests .*1 passed/ },
  jest: {
    packages: ['jest'],
    files: { 'package.json': JSON.stringify({ name: 'app' }) },
    says: /Tests: .*1 passed/,
  },
  tsc: { packages: [] },
  node: { packages: [] },
}

/** Setups that are too large for the tests of every day, with the scripts that run them. */
const NIGHTLY: Readonly<Record<string, string>> = {
  next: '../nightly/next.js',
  nuxt: '../nightly/frameworks/nuxt.js',
  astro: '../nightly/frameworks/astro.js',
  cloudflare: '../nightly/frameworks/cloudflare.js',
}

const setups = readmeSetups()

test('every documented setup is run by a test', async () => {
  const run = [...Object.keys(EXPECTED), ...Object.keys(NIGHTLY)]
  expect(setups.map(({ name }) => name).toSorted()).toEqual(run.toSorted())
  for (const [name, script] of Object.entries(NIGHTLY)) {
    expect(await readFile(join(import.meta.dirname, script), 'utf8')).toContain(`'${name}'`)
  }
})

/** The code that TypeScript has accepted: several pages have the same. */
const typed = new Set<string>()

describe('the documented setup for', () => {
  for (const { name, files, commands } of setups) {
    const expected = EXPECTED[name]
    if (expected === undefined) continue
    const { packages, flags, bundle, says = new RegExp(RENDERED) } = expected
    test(name, async () => {
      const isPulled = commands.includes('npx prompts pull')
      const root = await installedApp({
        // A page that does not pull begins with the lock of the app.
        ...(!isPulled && { lock: liveLock(TRIAGE, UNUSED) }),
        packages: ['typescript', ...packages],
        files: {
          'src/main.js': APP,
          'tsconfig.json': JSON.stringify(CHECK_JS),
          ...expected.files,
          ...files,
        },
      })
      const PATH = `${await installCommands(root)}:${process.env['PATH']}`
      const shell = (line: string): Promise<string> => runLines([`${line} 2>&1`], root, { PATH })
      const { live } = await testService([TRIAGE, UNUSED])
      const last = [commands.at(-1), flags].filter((part) => part !== undefined).join(' ')
      const outputs = []
      for (const command of [...commands.slice(0, -1), last]) {
        // This package is installed as a link. Pulls run in this process: starts of it cost the most.
        if (command.startsWith('npm install')) continue
        if (command === 'npx prompts pull') {
          expect(await prompts(['pull'], { cwd: root, env: live })).toMatchObject({ code: 0 })
        } else outputs.push(await shell(command))
      }
      const output = bundle === undefined ? outputs.at(-1) : await runOutput(root, bundle)
      expect(output).toMatch(says)
      // TypeScript reads no files of Vue and Svelte.
      const isComponent = 'src/App.vue' in files || 'src/App.svelte' in files
      const code = files['src/main.ts'] ?? files['src/main.js']
      if (isComponent || code === undefined || typed.has(code)) return
      typed.add(code)
      expect(await shell('npx tsc')).toBe('')
    })
  }
})

/** The browser globals that a bundle needs before the app starts. */
const BROWSER = `globalThis.self = globalThis
globalThis.document = { createElement: () => ({ relList: { supports: () => true } }) }`

async function runOutput(root: string, bundle: RegExp): Promise<string> {
  const folder = join(root, 'dist')
  const names = await readdir(folder, { recursive: true })
  const code = names.filter((name) => /\.[cm]?js$/.test(name))
  const texts = await Promise.all(code.map((name) => readFile(join(folder, name), 'utf8')))
  expect(texts.join('\n')).not.toContain('Nobody uses this one.')
  const entries = code.filter((name) => bundle.test(name))
  expect(entries).toHaveLength(1)
  const browser = `data:text/javascript,${encodeURIComponent(BROWSER)}`
  const args = ['--import', browser, join(folder, entries[0] ?? '')]
  return (await runNode(args, root)).stdout
}
