// Writes the documents that tests compare with the source: `npm run update-docs`, then look at the
// difference. Commands check what they print against the schema, so the schema is written first.
import { runTests } from '../nightly/apps/tests.js'

/** The tests that write each document, in the order in which they depend on each other. */
const STEPS = {
  'src/docs/errors.md': ['documents/errors'],
  'src/docs/json.schema.json': ['cli/json', '--testNamePattern', 'is generated from the types'],
  'src/docs/commands.md and update-prompts.md': ['cli/documented-output'],
  'the screens in test/cli/__snapshots__': ['cli/screens'],
  'test/golden/public-api': ['built/public-api'],
}

for (const [document, tests] of Object.entries(STEPS)) {
  console.log(`\n── ${document} ──`)
  runTests([...tests, '--update'])
}
