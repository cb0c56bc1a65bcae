import { defineConfig, type UserConfig } from 'vite'

/**
 * Builds the page into the package: three files with fixed names and nothing else, which is what
 * its server knows (`src/page/server/page.ts`) and its content security policy lets through.
 */
const config: UserConfig = defineConfig({
  root: import.meta.dirname,
  base: './',
  cacheDir: '../../../node_modules/.vite',
  // Vite would add the paths of source files if NODE_ENV is not `production`.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  build: {
    outDir: '../../../dist/ui',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        entryFileNames: 'app.js',
        assetFileNames: 'app[extname]',
        codeSplitting: false,
      },
    },
  },
})

export default config
