import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { runtimeText } from '../src/build/runtime-text.ts'

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
