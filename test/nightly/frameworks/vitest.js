// The app that the nightly check of frameworks tests with Vitest.
import assert from 'node:assert'
import { yesIn } from '../apps/results.js'
import { serveCommand, succeed } from '../apps/run.js'
import { COMPILER_OPTIONS, TYPESCRIPT, VITE_VERSION } from './sources.js'
import { updateIn } from './steps.js'

/** Vitest with the documented test, in watch mode and once. */
export const vitest = {
  name: 'Vitest',
  setup: 'vitest',
  packages: ['vitest@5.1.1', VITE_VERSION, TYPESCRIPT, '@types/node@22'],
  config: {
    name: 'vitest.config.ts',
    before: "import { defineConfig } from 'vitest/config'\n\nexport default defineConfig({})\n",
    entry: 'prompts()',
  },
  files: {
    'tsconfig.json': JSON.stringify({
      include: ['src', '*.ts'],
      compilerOptions: { ...COMPILER_OPTIONS, types: ['node'] },
    }),
    'src/version.test.ts': `import { prompts } from 'virtual:prompts'
import { test } from 'vitest'

test('version', () => console.log(\`served \${prompts.supportTriage.version}.\`))
`,
  },
  reasons: {
    build: 'no build',
    'unused dropped': 'nothing is bundled',
    guard: 'no code for browsers',
  },
  steps: {
    async dev(app) {
      app.server = await serveCommand(app.root, () => ['npx', 'vitest', '--watch'], app.variables)
      return yesIn(await prints(app, 'served v22.'))
    },

    async 'live update'(app) {
      return yesIn(await updateIn(app, () => prints(app, 'served v23.')))
    },

    async run({ root, variables }) {
      const { output, seconds } = await succeed(root, ['npx', 'vitest', 'run'], variables)
      assert.match(output, /Tests .*2 passed/)
      return yesIn(seconds)
    },
  },
}

function prints({ server }, text) {
  return server.until(() => server.output.join('').includes(text), text)
}
