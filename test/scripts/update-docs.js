// Writes the documents that tests compare with the source: `npm run update-docs`, then look at the
// difference. Commands check what they print against the schema, so the schema is written first.
import { createVitest } from 'vitest/node'

/** The tests that write errors.md, commands.md, update-prompts.md, the screens and the public API. */
const DOCUMENTS = ['documents/errors', 'cli/documented-output', 'cli/screens', 'built/public-api']

// One compiler for all.
process.env['VITEST_MAX_WORKERS'] = '1'
const vitest = await createVitest('test', {
  config: 'test/vitest.config.ts',
  project: ['unit', 'cli', 'built'],
  update: true,
  watch: false,
})
vitest.setGlobalTestNamePattern('comes from the types of the commands')
await vitest.start(['cli/json'])
vitest.resetGlobalTestNamePattern()
await vitest.start(DOCUMENTS)
await vitest.close()
