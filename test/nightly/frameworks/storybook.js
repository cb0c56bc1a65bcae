// The app that the nightly check of frameworks builds with Storybook.
import { inBrowser } from '../apps/browser.js'
import { yesIn } from '../apps/results.js'
import { serveCommand, withServer } from '../apps/run.js'
import { TEXT } from '../apps/sources.js'
import { COMPILER_OPTIONS, REACT, TYPESCRIPT, VITE_VERSION, viteConfig } from './sources.js'
import { updateIn } from './steps.js'

const STORY = '/iframe.html?id=prompt--shown&viewMode=story'

const HOST = ['--host', '127.0.0.1']

/** Whether the story shows a version of the prompt, in Chromium. */
function shows({ url }, version) {
  return inBrowser(`${url}${STORY}`, (page) =>
    page.getByText(version, { exact: true }).waitFor({ timeout: 60_000 }),
  )
}

/** Storybook, which takes the plugins of the app's `vite.config.ts`. */
export const storybook = {
  name: 'Storybook',
  packages: [
    'storybook@10.6.7',
    '@storybook/react-vite@10.6.7',
    ...REACT,
    '@vitejs/plugin-react@6.3.0',
    TYPESCRIPT,
    VITE_VERSION,
  ],
  config: viteConfig("import react from '@vitejs/plugin-react'", 'react()'),
  files: {
    'tsconfig.json': JSON.stringify({
      include: ['src', '*.d.ts'],
      compilerOptions: COMPILER_OPTIONS,
    }),
    '.storybook/main.ts': `import type { StorybookConfig } from '@storybook/react-vite'

export default {
  stories: ['../src/*.stories.tsx'],
  framework: '@storybook/react-vite',
  core: { disableTelemetry: true },
} satisfies StorybookConfig
`,
    'src/prompt.stories.tsx': `import { prompts } from 'virtual:prompts'

export default { title: 'Prompt', component: () => <h1>{prompts.supportTriage.version}</h1> }
export const Shown = {}
export const Rendered = { render: () => <pre>{${TEXT}} pressed</pre> }
`,
  },
  dev: (port) => ['npx', 'storybook', 'dev', '--port', port, '--ci', '--no-open'],
  build: ['npx', 'storybook', 'build', '--output-dir', 'dist'],
  output: { client: 'dist' },
  isClientCode: true,
  client: {},
  steps: {
    async dev(app) {
      app.server = await serveCommand(app.root, app.dev, app.variables)
      const { seconds } = await app.server.ask('/iframe.html', ({ status }) => status === 200)
      await shows(app.server, 'v22')
      return yesIn(seconds)
    },

    async 'live update'(app) {
      const { url } = app.server
      const seconds = await inBrowser(`${url}${STORY}`, async (page) => {
        await page.getByText('v22', { exact: true }).waitFor()
        return updateIn(app, () => page.getByText('v23', { exact: true }).waitFor())
      })
      return yesIn(seconds)
    },

    async run({ root, variables }) {
      const command = (port) => ['npx', 'vite', 'preview', '--outDir', 'dist', '--port', port]
      await withServer(
        serveCommand(root, (port) => [...command(port), ...HOST], variables),
        async (server) => {
          await server.ask('/', ({ status }) => status === 200)
          await shows(server, 'v22')
        },
      )
      return 'yes'
    },
  },
}
