import { defineConfig, type UserConfig } from 'tsdown'
import { build } from 'vite'
import { writeDocs } from './docs.ts'
import { runtimeText } from './runtime-text.ts'

const bundlers = [
  'vite',
  'rollup',
  'rolldown',
  'webpack',
  'rspack',
  'rsbuild',
  'esbuild',
  'farm',
  'bun',
] as const

const config: UserConfig = defineConfig({
  cwd: '../..',
  entry: {
    index: 'src/index.ts',
    cli: 'src/cli.ts',
    runtime: 'src/runtime/index.ts',
    register: 'src/register.ts',
    'register-thread': 'src/register/thread.ts',
    'impact-thread': 'src/features/usage/impact-thread.ts',
    ...Object.fromEntries(bundlers.map((name) => [name, `src/${name}.ts`])),
  },
  outDir: 'dist',
  format: 'esm',
  target: 'node20.19',
  fixedExtension: false,
  dts: true,
  plugins: [runtimeText()],
  hooks: {
    // After the build, because it empties its folder.
    'build:done': async () => {
      await writeDocs('.', 'dist/docs')
      await build({ configFile: 'src/page/app/vite.config.ts', logLevel: 'warn' })
    },
  },
})

export default config
