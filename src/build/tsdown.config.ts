import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { defineConfig, type UserConfig } from 'tsdown'
import { build } from 'vite'
import { writeDocs } from './docs.ts'
import { BUNDLED, writeNotices } from './notices.ts'
import { runtimeText } from './runtime-text.ts'

const SRC = join(import.meta.dirname, '..')

/** Every file in `src` itself is an entry point of the package. */
const entryPoints = readdirSync(SRC).filter((file) => file.endsWith('.ts'))

// A start loads few files: with one chunk per shared module, the Vite plugin took 46 instead of 5.
const COMMON =
  /(?:\/src\/(?:core|errors|fs|config|debug)|\/node_modules\/valibot)\/(?!.*\.d\.m?ts$)/
/** What every command loads, so `--help` reads 3 files of this package instead of 10. */
const COMMAND_LINE =
  /\/src\/cli\/(?:args|main|interruption|output\/(?:display-width|hanging-lines|report-error|terminal|version))(?!.*\.d\.ts$)/
/** What every bundler's plugin loads at once. Vite's does without unplugin. */
const PLUGIN = /\/src\/(?!cli\/|plugin\/unplugin\.ts)(?!.*\.d\.ts$)/
const BUNDLERS = 9

const config: UserConfig = defineConfig({
  cwd: '../..',
  entry: {
    ...Object.fromEntries(entryPoints.map((file) => [basename(file, '.ts'), `src/${file}`])),
    runtime: 'src/runtime/index.ts',
    'register-thread': 'src/register/thread.ts',
    'analysis-thread': 'src/features/background/analysis-thread.ts',
  },
  outDir: 'dist',
  format: 'esm',
  target: 'node20.19',
  fixedExtension: false,
  dts: true,
  deps: { onlyBundle: [...BUNDLED] },
  copy: ['src/plugin/next/next.prompts'],
  plugins: [runtimeText()],
  outputOptions: {
    codeSplitting: {
      groups: [
        { name: 'common', test: COMMON, minShareCount: 2 },
        { name: 'plugin', test: PLUGIN, minShareCount: BUNDLERS },
        { name: 'command-line', test: COMMAND_LINE },
      ],
    },
  },
  hooks: {
    // After the build, because it empties its folder.
    'build:done': async () => {
      await writeDocs('.', 'dist/docs')
      await writeNotices('.', 'dist/NOTICES.md')
      await build({ configFile: 'src/page/app/vite.config.ts', logLevel: 'warn' })
    },
  },
})

export default config
