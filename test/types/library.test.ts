import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fixtureApp, refusedLines } from '../helpers/compile-fixture.ts'
import {
  compileStrictly,
  EACH_COMPILER,
  linesMarkedWrong,
  OLDER_COMPILERS,
} from '../helpers/compile-strictly.js'

/** Uses the library without the plugin. A line that ends with `// error` must not compile. */
const CONSUMER = `import triage, * as library from 'library'

const both = { ticket: 'T', tone: 'calm' }
const prompts = [
  triage,
  library.triage,
  library.viaAll,
  library.all.supportTriage,
  new library.Bot().prompt,
]
for (const prompt of prompts) {
  const slug: 'support-triage' = prompt.slug
  prompt.render(both)
  prompt.render({ ticket: 'T' }) // error
  slug.nothing // error
}
library.plain.render()
library.plain.render(both) // error
library.all.nothing // error
library.all['3d'].render({ 'user.name': 'A' })
library.list[0]?.slug.nothing // error
library.pick(true).render(both)
library.pick(true).render() // error
library.render('T').text.nothing // error
library.renderer({ ticket: 'T' }) // error
library.messages()[0]?.role.nothing // error
library.chat().messages[0]?.role.nothing // error
library.claude().system.nothing // error
library.adapter(library.triage, both).messages
library.adapter(library.triage) // error
library.failureOf(0)?.missing.nothing // error
`

describe.each([...EACH_COMPILER, ...OLDER_COMPILERS])('under $path, $resolution', (compiler) => {
  test('a library that exports prompts keeps its types in an app without the plugin', async () => {
    const library = await fixtureApp({ fixtures: ['library.ts'] })
    expect(await compileStrictly(library, { ...compiler, outDir: 'dist' })).toEqual([])

    const files = {
      'consumer.ts': CONSUMER,
      'node_modules/library/package.json': '{ "type": "module", "types": "index.d.ts" }\n',
      'node_modules/library/index.d.ts': await readFile(join(library, 'dist/library.d.ts'), 'utf8'),
    }
    const consumer = await fixtureApp({ files, lock: undefined })
    expect(await refusedLines(consumer, compiler)).toEqual(
      await linesMarkedWrong(consumer, ['consumer.ts']),
    )
  })
})
