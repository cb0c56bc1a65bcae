import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { runtimeText } from '../src/build/runtime-text.ts'

/** What a person has set for apps of their own, which builds and commands in tests would read. */
const OTHERS = /^(?:PROMPTS_(?!BINARY$)|BILLING_PROMPTS_|(?:HTTPS?|ALL|NO)_PROXY$)/i

for (const name of Object.keys(process.env)) if (OTHERS.test(name)) delete process.env[name]
process.env['NODE_ENV'] = 'test'

const config: ViteUserConfig = defineConfig({
  root: import.meta.dirname,
  cacheDir: '../node_modules/.vite',
  plugins: [runtimeText()],
  test: {
    include: ['**/*.test.ts'],
    // The built package runs as users have it: loaded by Node, not transformed.
    server: { deps: { external: [/\/dist\//] } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})

export default config
