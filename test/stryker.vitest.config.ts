import { defineConfig, type ViteUserConfig } from 'vitest/config'
import shared from './vitest.config.ts'

// No test may pass by the machine being in UTC. Here, since threads can't change it themselves.
process.env['TZ'] = 'Asia/Kathmandu'

// A tenth of a whole sweep. A rule that only luck would check is not tested.
process.env['SWEEP_RUNS'] = '10'

// Without the projects: not even an empty list of them.
const { projects: _, ...test } = shared.test ?? {}

/**
 * What runs against mutants: tests that state the rules of the mutated files by themselves, without
 * a build, an app or real time, since they run thousands of times.
 */
const config: ViteUserConfig = defineConfig({
  ...shared,
  test: {
    ...test,
    // The cache would serve the modules without their mutants, and every mutant would survive.
    experimental: { ...test.experimental, fsModuleCache: false },
    include: [
      'unit/{core,codegen,plugin/by-use}/**/*.test.ts',
      'unit/config/{api-key,base-url,resolve-options}.test.ts',
      'unit/service/*.test.ts',
      'unit/output/declarations.test.ts',
      'unit/plan/hold.test.ts',
    ],
  },
})

export default config
