// The npm workspace that the nightly check of frameworks builds through Turborepo's cache.
import assert from 'node:assert'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inBrowser } from '../apps/browser.js'
import { BINARY, scriptsIn } from '../apps/files.js'
import { yesIn } from '../apps/results.js'
import { serveCommand, succeed, withServer } from '../apps/run.js'
import { RENDERED, TEXT, WRONG } from '../apps/sources.js'
import { COMPILER_OPTIONS, TYPESCRIPT, VITE_VERSION, viteConfig } from './sources.js'
import { updateIn } from './steps.js'

const turbo = (...args) => ['npx', 'turbo', 'run', ...args, '--cwd', '../..']
const SERVE = (task) => (port) => [...turbo(task), '--', '--port', port, '--host', '127.0.0.1']

function shows({ url }, look) {
  return inBrowser(url, async (page) => {
    await page.getByText('v22').waitFor({ timeout: 60_000 })
    return look?.(page)
  })
}

/** An app with Vite, and a package of the workspace that imports prompts too. */
export const turborepo = {
  name: 'Turborepo, npm workspaces',
  folder: 'turborepo',
  versionOf: 'turbo',
  packages: ['turbo@2.11.11', TYPESCRIPT, VITE_VERSION],
  manifests: {
    'package.json': JSON.stringify({
      private: true,
      packageManager: 'npm@10.8.2',
      workspaces: ['apps/*', 'packages/*'],
    }),
    'turbo.json': JSON.stringify({
      tasks: {
        build: { outputs: ['dist/**'] },
        check: {},
        dev: { cache: false, persistent: true },
        preview: { cache: false, persistent: true },
      },
    }),
    'packages/triage/package.json': JSON.stringify({
      name: 'triage',
      type: 'module',
      exports: './index.ts',
    }),
    'apps/web/package.json': JSON.stringify({
      name: 'web',
      type: 'module',
      scripts: { build: 'vite build', check: 'tsc', dev: 'vite dev', preview: 'vite preview' },
      dependencies: { triage: '*' },
      devDependencies: { vite: '*', 'unplugin-prompts': '*' },
    }),
  },
  app: 'apps/web',
  config: viteConfig('', ''),
  files: {
    // Else the cache would depend on what a build writes.
    '.gitignore': 'node_modules\n.turbo\ndist\nprompts.d.ts.map\n',
    'tsconfig.json': JSON.stringify({
      include: ['src', '*.d.ts'],
      compilerOptions: COMPILER_OPTIONS,
    }),
    'index.html': '<html lang="en"><script type="module" src="/src/main.ts"></script></html>\n',
    'src/main.ts': `import { triage } from 'triage'
import { prompts } from 'virtual:prompts'
document.body.append(prompts.supportTriage.version, triage(), 'pressed')
`,
    '../../packages/triage/index.ts': `import { prompts } from 'virtual:prompts'
export const triage = () => ${TEXT}
`,
  },
  output: { client: 'dist' },
  isClientCode: true,
  build: turbo('build'),
  wrong: { 'src/wrong.ts': WRONG },
  types: turbo('check'),
  client: {},
  steps: {
    async dev(app) {
      app.server = await serveCommand(app.root, SERVE('dev'), app.variables)
      const { seconds } = await app.server.ask('/', ({ status }) => status === 200)
      await shows(app.server)
      return yesIn(seconds)
    },

    async 'live update'(app) {
      const shown = (page) => updateIn(app, () => page.getByText('v23').waitFor())
      return yesIn(await shows(app.server, shown))
    },

    /** The cache knows the lock: the same one is a hit, another one is a miss. */
    async build({ root, build, lock, locks, variables }) {
      const run = async (text, cached) => {
        // As a pull does: the declarations are part of what the cache depends on.
        writeFileSync(lock, text)
        await succeed(root, ['node', BINARY, 'generate'], variables)
        const { output, seconds } = await succeed(root, build, variables)
        assert.match(output, new RegExp(`Cached: +${cached} cached`), output)
        return { seconds, code: scriptsIn(join(root, 'dist')) }
      }
      const { seconds } = await run(locks.old, 0)
      await run(locks.old, 1)
      assert((await run(locks.new, 0)).code.includes('v23'), 'the new lock is not in the bundle')
      assert((await run(locks.old, 1)).code.includes('v22'), 'the old lock is not in the bundle')
      return yesIn(seconds)
    },

    async run(app) {
      await withServer(serveCommand(app.root, SERVE('preview'), app.variables), async (server) => {
        await server.ask('/', ({ status }) => status === 200)
        await shows(server, (page) => page.getByText(RENDERED).waitFor())
      })
      return 'yes'
    },
  },
}
