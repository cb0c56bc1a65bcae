import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { runtimeText } from '../src/build/runtime-text.ts'

const config: ViteUserConfig = defineConfig({
  root: import.meta.dirname,
  cacheDir: '../node_modules/.vite',
  plugins: [runtimeText()],
  test: {
    include: ['**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})

export default config
