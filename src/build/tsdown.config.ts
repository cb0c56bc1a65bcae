import { defineConfig, type UserConfig } from 'tsdown'
import { build } from 'vite'
import { runtimeText } from './runtime-text.ts'

const doors = [
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
    'impact-thread': 'src/features/usage/thread.ts',
    ...Object.fromEntries(doors.map((door) => [door, `src/${door}.ts`])),
  },
  outDir: 'dist',
  format: 'esm',
  target: 'node20.19',
  fixedExtension: false,
  dts: true,
  plugins: [runtimeText()],
  hooks: {
    // The page of the dev server, whose folder the build before has emptied.
    'build:done': async () => {
      await build({ configFile: 'src/page/app/vite.config.ts', logLevel: 'warn' })
    },
  },
})

export default config
