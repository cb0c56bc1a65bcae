// The app that the nightly check of frameworks builds with SvelteKit.
import { IMPORT, TEXT, WRONG } from '../apps/sources.js'
import { TYPESCRIPT, VITE, VITE_VERSION, viteConfig } from './sources.js'

const packages = (kit, adapter) => [
  `@sveltejs/kit@${kit}`,
  `@sveltejs/adapter-node@${adapter}`,
  '@sveltejs/vite-plugin-svelte@7.3.1',
  'svelte@5.57.3',
  'svelte-check@4.7.8',
  TYPESCRIPT,
  VITE_VERSION,
]

/** SvelteKit, whose configuration is in Vite's. */
export const sveltekit = {
  name: 'SvelteKit',
  versionOf: '@sveltejs/kit',
  packages: packages('3.2.0', '6.0.1'),
  config: viteConfig(
    "import adapter from '@sveltejs/adapter-node'\nimport { sveltekit } from '@sveltejs/kit/vite'",
    'sveltekit({ adapter: adapter() })',
  ),
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
  packages: packages('2.70.4', '5.5.7'),
  files: {
    ...sveltekit.files,
    // Its `include` is in a file that `svelte-kit sync` writes.
    'tsconfig.json': JSON.stringify({
      extends: './.svelte-kit/tsconfig.json',
      compilerOptions: { strict: true, skipLibCheck: true },
    }),
  },
}
