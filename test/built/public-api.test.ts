import { join } from 'node:path'
import { snapshotApiPerEntry } from 'tsnapi/vitest'
import { describe } from 'vitest'

// A change of the public API needs `vitest -u`, and TSNAPI_ALLOW_BREAKING=1 if it can break users.
describe('the public API', async () => {
  await snapshotApiPerEntry(join(import.meta.dirname, '../..'), {
    outputDir: '../golden/public-api',
  })
})
