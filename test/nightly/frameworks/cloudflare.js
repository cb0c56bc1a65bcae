// The apps that the nightly check of frameworks builds for Cloudflare's Workers.
import assert from 'node:assert'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BINARY, write } from '../apps/files.js'
import { has, KEY, yesIn } from '../apps/results.js'
import { succeed } from '../apps/run.js'
import { TEXT } from '../apps/sources.js'
import { COMPILER_OPTIONS, TYPESCRIPT, VITE, VITE_VERSION, viteConfig } from './sources.js'
import { steps, updateIn } from './steps.js'

const WORKERS_TYPES = '@cloudflare/workers-types@5.20261117.1'

const WORKER = `import { prompts } from 'virtual:prompts'

export default {
  fetch(request) {
    if (new URL(request.url).pathname !== '/api/prompt') return new Response(null, { status: 404 })
    return Response.json({ version: prompts.supportTriage.version, text: ${TEXT} })
  },
} satisfies ExportedHandler
`

const TSCONFIG = JSON.stringify({
  include: ['src', '*.d.ts'],
  compilerOptions: {
    ...COMPILER_OPTIONS,
    lib: ['es2023'],
    types: ['@cloudflare/workers-types'],
  },
})

/** A Worker with pages, through `@cloudflare/vite-plugin`. */
export const cloudflare = {
  name: "Cloudflare's Vite plugin",
  versionOf: '@cloudflare/vite-plugin',
  packages: [
    '@cloudflare/vite-plugin@1.64.0',
    'wrangler@4.164.0',
    WORKERS_TYPES,
    TYPESCRIPT,
    VITE_VERSION,
  ],
  config: viteConfig("import { cloudflare } from '@cloudflare/vite-plugin'", 'cloudflare()'),
  files: {
    'tsconfig.json': TSCONFIG,
    'wrangler.jsonc': JSON.stringify({
      name: 'worker',
      main: 'src/index.ts',
      compatibility_date: '2026-01-01',
      assets: { run_worker_first: ['/api/*'] },
    }),
    // Cloudflare's plugin copies it next to the Worker.
    '.env.local': `PROMPTS_API_KEY=${KEY}\n`,
    'index.html': '<html lang="en"><script type="module" src="/src/client.js"></script></html>\n',
    'src/client.js': "document.body.append('pressed')\n",
    'src/index.ts': WORKER,
  },
  paths: ['/api/prompt'],
  ...VITE,
  output: { server: 'dist/worker', client: 'dist/client' },
  client: {
    'src/client.js': `import { prompts } from 'virtual:prompts'
document.body.append(prompts.supportTriage.version)
`,
  },
  steps: {
    async build(app) {
      const cell = await steps.build(app)
      assert(existsSync(join(app.root, 'dist/worker/.dev.vars')), 'no copy of the variables')
      return cell
    },
  },
}

/** A Worker that wrangler bundles itself, with the generated folder. */
export const wrangler = {
  name: 'wrangler',
  setup: 'cloudflare',
  packages: ['wrangler@4.164.0', WORKERS_TYPES, TYPESCRIPT],
  // `init` puts the modules where the code is.
  files: { 'tsconfig.json': TSCONFIG, 'src/index.ts': WORKER },
  paths: ['/'],
  rendered: '/',
  page: undefined,
  dev: (port) => ['npx', 'wrangler', 'dev', '--port', port, '--ip', '127.0.0.1'],
  build: ['npx', 'wrangler', 'deploy', '--dry-run', '--minify', '--outdir', 'dist'],
  run: (port) => {
    const flags = ['--no-bundle', '--port', port, '--ip', '127.0.0.1']
    return ['npx', 'wrangler', 'dev', 'dist/index.js', ...flags]
  },
  output: { server: 'dist' },
  reasons: { guard: 'no code for browsers' },
  steps: {
    /** There is no plugin to add, so `init` prints what to do. */
    async init({ root, documented, files, variables }) {
      write(root, files)
      const { output } = await succeed(root, ['node', BINARY, 'init', '-y'], variables)
      assert.match(output, /"virtual:prompts\/all": "\.\/src\/prompts\/all\.js"/)
      write(root, documented)
      await generate(root, variables)
      return 'yes'
    },

    async 'live update'(app) {
      const { root, server, variables } = app
      const seconds = await updateIn(app, async () => {
        await generate(root, variables)
        await server.ask('/', has('v23'))
      })
      await generate(root, variables)
      return yesIn(seconds)
    },
  },
}

function generate(root, variables) {
  return succeed(root, ['node', BINARY, 'generate'], variables)
}
