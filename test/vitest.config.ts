import { defineConfig } from 'vitest/config'
import { runtimeText } from '../src/build/runtime-text.ts'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [runtimeText()],
  test: {
    include: ['**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
