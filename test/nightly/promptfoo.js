// The recipe for promptfoo in src/docs/testing.md: its test runs with promptfoo and the Node that it
// needs, both from the registry.
//
// node test/nightly/promptfoo.js, after npm run build; exits with 1 when it fails.
import { join } from 'node:path'
import { install, installNode } from './apps/files.js'
import { inFolder } from './apps/folders.js'
import { runTests } from './apps/tests.js'

await inFolder(async (folder) => {
  await install(folder, ['promptfoo@0.123.1'])
  runTests(['nightly/built/evals'], {
    PROMPTFOO: join(folder, 'node_modules/.bin/promptfoo'),
    NODE_BINARY: await installNode(folder, '22'),
  })
})
