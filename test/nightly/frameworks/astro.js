// The apps that the nightly check of frameworks builds with Astro.
import { TYPESCRIPT } from './sources.js'

const PAGE = `---
import { prompts } from 'virtual:prompts'
---

<h1>{prompts.supportTriage.version}</h1>
<button>pressed</button>
<script>
  document.querySelector('button')?.addEventListener('click', () => alert('pressed'))
</script>
`

/** Astro, whose pages are files. */
export const astro = {
  name: 'Astro',
  setup: 'astro',
  packages: ['astro@7.3.5', '@astrojs/node@11.1.6', '@astrojs/check@0.9.10', TYPESCRIPT],
  config: {
    name: 'astro.config.mjs',
    before: "import { defineConfig } from 'astro/config'\n\nexport default defineConfig({})\n",
    entry: 'integrations: [prompts()]',
  },
  files: {
    // Without the folder of the declarations.
    'tsconfig.json': JSON.stringify({
      extends: 'astro/tsconfigs/strict',
      include: ['.astro/types.d.ts', 'src'],
    }),
    'src/pages/index.astro': PAGE,
    'src/pages/api/prompt.ts': `import { prompts } from 'virtual:prompts'
export const GET = () => Response.json({ version: prompts.supportTriage.version })
`,
  },
  rendered: '/triage',
  dev: (port) => ['npx', 'astro', 'dev', '--port', port, '--host', '127.0.0.1'],
  build: ['npx', 'astro', 'build'],
  run: (port) => ['npx', 'astro', 'preview', '--port', port, '--host', '127.0.0.1'],
  // Pages are rendered while building, and no code for a server is left.
  output: { server: undefined, client: 'dist' },
  types: ['npx', 'astro', 'check'],
  client: {
    'src/pages/index.astro': PAGE.replace(
      '<script>',
      "<script>\n  import { prompts } from 'virtual:prompts'\n  console.log(prompts.supportTriage.version)",
    ),
  },
}

/** Astro with pages that are rendered when they are requested. */
export const astroServer = {
  ...astro,
  name: 'Astro, server output',
  folder: 'astro',
  files: {
    ...astro.files,
    'astro.config.mjs': `import node from '@astrojs/node'
import { defineConfig } from 'astro/config'
import prompts from 'unplugin-prompts/astro'

export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  integrations: [prompts()],
  // The code for browsers as files, and not within the code for the server.
  vite: { build: { assetsInlineLimit: 0 } },
})
`,
  },
  run: () => ['node', 'dist/server/entry.mjs'],
  output: { server: 'dist/server', client: 'dist/client' },
}
