// `--import unplugin-prompts/register`, the generated files and the start of the commands on every
// Node that the package supports, from the registry: their tests run with each as the Node under test.
//
// node test/nightly/node-versions.js, after npm run build; exits with 1 when one fails.
import { installNode } from './apps/files.js'
import { inFolder } from './apps/folders.js'
import { succeed } from './apps/run.js'
import { runTests } from './apps/tests.js'

const VERSIONS = ['20.19.0', '22.12.0', '22', '24']
const TESTS = ['built/register', 'nightly/built/generated-files', 'built/start-up']

await inFolder(async (folder) => {
  for (const version of VERSIONS) {
    const node = await installNode(folder, version)
    const { output } = await succeed(folder, [node, '--version'])
    console.log(`Node ${output.trim()}:`)
    runTests(TESTS, { NODE_BINARY: node })
  }
})
