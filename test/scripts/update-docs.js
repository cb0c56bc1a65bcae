// Writes the documents that tests compare with the source: `npm run update-docs`, then look at the
// difference. Commands check what they print against the schema, so the schema is written first.
import { runTests } from '../nightly/apps/tests.js'

const SCHEMA = ['cli/json', '--testNamePattern', 'is generated from the types']
/** The tests that write errors.md, commands.md, update-prompts.md, the screens and the public API. */
const DOCUMENTS = ['documents/errors', 'cli/documented-output', 'cli/screens', 'built/public-api']

for (const tests of [SCHEMA, DOCUMENTS]) runTests([...tests, '--update'])
