import { defineConfig, type ViteUserConfig } from 'vitest/config'
import shared from './vitest.config.ts'

// No test may pass by the machine being in UTC. Here, since threads can't change it themselves.
process.env['TZ'] = 'Asia/Kathmandu'

// A tenth of a whole sweep. A rule that only luck would check is not tested.
process.env['SWEEP_RUNS'] = '10'

// Without the projects: not even an empty list of them.
const { projects: _, ...test } = shared.test ?? {}

/** Tests that state the rules of `core`, `codegen` and `service` by themselves, without an app. */
const RULES = [
  'unit/{core,codegen,plugin/by-use}/**/*.test.ts',
  'unit/config/{api-key,base-url,resolve-options}.test.ts',
  'unit/service/*.test.ts',
  'unit/output/declarations.test.ts',
  'unit/plan/hold.test.ts',
]

/** Tests of `plan` and `judge`, which compile apps: half a minute for a mutant that none of them fails on. */
const OF_APPS = [
  'unit/{plan,judge,output}/*.test.ts',
  'unit/features/project/*.test.ts',
  'types/{fix,impact,usage}/*.test.ts',
  'types/declarations-location.test.ts',
]

/** What runs against mutants, thousands of times: nothing that needs a build or real time. */
const config: ViteUserConfig = defineConfig({
  ...shared,
  test: {
    ...test,
    // The cache would serve the modules without their mutants, and every mutant would survive.
    experimental: { ...test.experimental, fsModuleCache: false },
    include: process.env['MUTATE'] === 'apps' ? OF_APPS : RULES,
  },
})

export default config
