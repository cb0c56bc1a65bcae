// Whether older versions of TypeScript take the declarations: installs them, and runs the tests of
// this package's own types with each as well. Those tests build the package first.
import { delimiter, join } from 'node:path'
import { install } from './apps/files.js'
import { inFolder } from './apps/folders.js'
import { runTests } from './apps/tests.js'

const VERSIONS = ['5.0.4', '5.4.5', '5.9.3']
const TESTS = ['types/types.test.ts', 'types/library.test.ts']

await inFolder(async (folder) => {
  const names = VERSIONS.map((version) => `typescript-${version}`)
  await install(
    folder,
    VERSIONS.map((version, index) => `${names[index]}@npm:typescript@${version}`),
  )
  const compilers = names.map((name) => join(folder, 'node_modules', name))
  runTests(TESTS, { OLDER_TYPESCRIPT: compilers.join(delimiter) })
})
