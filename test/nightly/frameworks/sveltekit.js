// The app that the nightly check of frameworks builds with SvelteKit.
import { TEXT, VITE, viteConfig, WRONG } from './sources.js'

const IMPORT = "import { prompts } from 'virtual:prompts'\n"

/** SvelteKit, whose configuration is in Vite's. */
export const sveltekit = {
  name: 'SvelteKit',
  folder: 'sveltekit',
  versionOf: '@sveltejs/kit',
  packages: [
    '@sveltejs/kit@3.2.0',
    '@sveltejs/adapter-node@6.0.1',
    '@sveltejs/vite-plugin-svelte@7.3.1',
    'svelte@5.57.3',
    'svelte-check@4.7.8',
    'typescript@6.0.3',
    'vite@8.3.8',
  ],
  config: {
    name: 'vite.config.ts',
    before: viteConfig(
      "import adapter from '@sveltejs/adapter-node'\nimport { sveltekit } from '@sveltejs/kit/vite'",
      'sveltekit({ adapter: adapter() })',
    ),
    entry: 'prompts()',
  },
  files: {
    'tsconfig.json': JSON.stringify({
      extends: '$app/tsconfig',
      include: ['src', 'test', '*'],
      exclude: ['src/service-worker'],
    }),
    'src/app.html': `<!doctype html>
<html lang="en"><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>
`,
    'src/routes/+page.server.ts': `${IMPORT}
export const load = () => ({ version: prompts.supportTriage.version })
`,
    'src/routes/+page.svelte': `<script lang="ts">
let { data } = $props()
let text = $state('pressed')
</script>

<h1>{data.version}</h1>
<button onclick={() => (text += '!')}>{text}</button>
`,
    'src/routes/api/prompt/+server.ts': `import { json } from '@sveltejs/kit'
${IMPORT}
export const GET = () => json({ version: prompts.supportTriage.version, text: ${TEXT} })
`,
  },
  paths: ['/api/prompt', '/'],
  rendered: '/api/prompt',
  page: '/__prompts/',
  ...VITE,
  run: () => ['node', 'build/index.js'],
  output: { server: 'build/server', client: 'build/client' },
  wrong: { 'src/wrong.ts': WRONG, 'src/routes/wrong/+page.server.ts': WRONG },
  types: ['npx', 'svelte-check', '--tsconfig', './tsconfig.json', '--output', 'machine'],
  client: {
    'src/routes/+page.svelte': `<script lang="ts">
import { prompts } from 'virtual:prompts'
</script>

<h1>{prompts.supportTriage.version}</h1>
`,
  },
}

/** The major version before, which `sv create` still installs. */
export const sveltekit2 = {
  ...sveltekit,
  folder: 'sveltekit-2',
  packages: sveltekit.packages.map((each) =>
    each.replace('kit@3.2.0', 'kit@2.70.4').replace('adapter-node@6.0.1', 'adapter-node@5.5.7'),
  ),
  files: {
    ...sveltekit.files,
    // Its `include` is in a file that `svelte-kit sync` writes.
    'tsconfig.json': JSON.stringify({
      extends: './.svelte-kit/tsconfig.json',
      compilerOptions: { strict: true, skipLibCheck: true },
    }),
  },
}
