import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import {
  defineConfig,
  type Plugin,
  type TestProjectInlineConfiguration,
  type ViteUserConfig,
} from 'vitest/config'
import { isBundledAsText, runtimeText } from '../src/build/runtime-text.ts'
import { browserSwitchedOff } from './helpers/chromium.ts'

/** What a person has set for apps of their own, which builds and commands in tests would read. */
const OTHERS = /^(?:PROMPTS_(?!BINARY$)|BILLING_PROMPTS_|(?:HTTPS?|ALL|NO)_PROXY$)/i

for (const name of Object.keys(process.env)) if (OTHERS.test(name)) delete process.env[name]
process.env['NODE_ENV'] = 'test'
// Terminals, CI servers and script runners ask for colours; assertions are about plain text.
delete process.env['FORCE_COLOR']
process.env['NO_COLOR'] = '1'

const helper = (name: string): string => join(import.meta.dirname, 'helpers', name)

const NEEDS_BUILD = [helper('build-package.ts')]

/** Whether no project is named, so that most of them can be one. */
const isWhole = !process.argv.some((argument) => argument.startsWith('--project'))

/** Whether this run is about slow tests, which no other run waits for: by their project or their path. */
const isNightly = process.argv.slice(2).some((argument) => argument.includes('nightly'))

/** The tests of a folder. */
function project(
  name: string,
  more: TestProjectInlineConfiguration['test'] = {},
): TestProjectInlineConfiguration {
  return { extends: true, test: { name, include: [`${name}/**/*.test.ts`], ...more } }
}

/** The tests of several folders, whose files share workers, each of which loads the modules and a compiler. */
function together(
  name: string,
  folders: string,
  more: TestProjectInlineConfiguration['test'] = {},
): TestProjectInlineConfiguration {
  return project(name, {
    include: [`{${folders}}/**/*.test.ts`],
    globalSetup: NEEDS_BUILD,
    ...more,
  })
}

/**
 * More workers than cores, because many tests wait for processes, watchers and servers. A number
 * here overrides the one of the command line.
 */
const isGiven = process.argv.some((argument) => /^--max-?workers/i.test(argument))
const workers = isGiven ? {} : { maxWorkers: Math.ceil(availableParallelism() * 1.5) }

/** The sources are outside of the root of Vitest, which is this folder. */
const sources: Plugin = {
  name: 'sources',
  // The cache of modules compares a module's file, the installed packages and what is named here.
  configResolved({ configFileDependencies }) {
    configFileDependencies.push(join(import.meta.dirname, '../tsconfig.json'))
  },
  configureVitest({ vitest, experimental_defineCacheKeyGenerator: defineKey }) {
    vitest.vite.watcher.add(join(import.meta.dirname, '../src'))
    defineKey(({ id }) => (isBundledAsText(id) ? false : undefined))
  },
}

// Once: Vitest loads this file for each project, and tests import it.
if (browserSwitchedOff() && process.env['CHROMIUM_OFF_PRINTED'] === undefined) {
  process.env['CHROMIUM_OFF_PRINTED'] = '1'
  console.info('CHROMIUM=off: the tests of the page in a browser are left out.')
}

const config: ViteUserConfig = defineConfig({
  root: import.meta.dirname,
  cacheDir: '../node_modules/.vite',
  plugins: [runtimeText(), sources],
  test: {
    // The built package runs as users have it: loaded by Node, not transformed.
    server: { deps: { external: [/\/dist\//] } },
    ...workers,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    isolate: false,
    // What bundlers print is shown for tests that fail.
    silent: 'passed-only',
    experimental: { fsModuleCache: true },
    projects: [
      // `npm run check`. A sixth of its time, V8 optimized code that runs too shortly to earn that back.
      ...(process.argv.includes('quick')
        ? [together('quick', 'unit,cli', { execArgv: ['--no-opt'] })]
        : []),
      ...(isWhole
        ? [together('main', 'unit,cli,types,system,built')]
        : [
            project('unit'),
            project('cli', { globalSetup: NEEDS_BUILD }),
            project('types', { globalSetup: NEEDS_BUILD }),
            project('system'),
            project('built', { globalSetup: NEEDS_BUILD }),
          ]),
      project('bundlers', { globalSetup: NEEDS_BUILD }),
      ...(isNightly ? [project('nightly', { globalSetup: NEEDS_BUILD })] : []),
      ...(browserSwitchedOff()
        ? []
        : [project('browser', { globalSetup: [...NEEDS_BUILD, helper('chromium.ts')] })]),
    ],
  },
})

export default config
