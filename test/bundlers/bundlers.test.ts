import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { linkPackages, numberedLock, promptsIn, readCode, runBundle, writeApp } from './app.ts'
import { type BundlerName, BUNDLERS } from './bundlers.ts'
import { CASES } from './cases.ts'

const LOCK = numberedLock(100)
const NAMES = Object.keys(BUNDLERS) as BundlerName[]

describe.each(NAMES)('%s', (bundler) => {
  for (const { title, files, says, ships, lock, entries, extra, ...limits } of CASES) {
    const reason = limits.impossible?.[bundler]
    test.skipIf(reason !== undefined)(
      reason === undefined ? title : `${title} (${reason})`,
      async () => {
        const root = join(await temporaryFolder(), 'my app')
        await writeApp(root, files, lock ?? LOCK)
        await linkPackages(root)
        const outDir = join(root, 'out')
        await BUNDLERS[bundler]({
          root,
          outDir,
          entries: { main: 'main.js', ...entries },
          minify: true,
          extra,
        })
        expect(await runBundle(join(outDir, 'main.mjs'))).toEqual(JSON.parse(JSON.stringify(says)))
        const shipped = limits.shipsAll?.[bundler] === undefined ? ships : undefined
        if (shipped !== undefined) expect(promptsIn(await readCode(outDir))).toEqual(shipped)
      },
    )
  }
})

describe.each(NAMES)('two builds with %s in one process, such as client and server,', (bundler) => {
  test('share a lock and declarations, and ship what each uses', async () => {
    const root = await temporaryFolder()
    const code = (name: string): string =>
      `import { prompts } from 'virtual:prompts'\nconsole.log(JSON.stringify(prompts.${name}.slug))\n`
    await writeApp(root, { 'client.js': code('prompt1'), 'server.js': code('prompt2') }, LOCK)
    await Promise.all(
      ['client', 'server'].map((name) =>
        BUNDLERS[bundler]({
          root,
          outDir: join(root, name),
          entries: { [name]: `${name}.js` },
          minify: true,
        }),
      ),
    )
    for (const [name, number] of Object.entries({ client: 1, server: 2 })) {
      expect(await runBundle(join(root, name, `${name}.mjs`))).toBe(`prompt-${number}`)
      expect(promptsIn(await readCode(join(root, name)))).toEqual([number])
    }
    expect(await readFile(join(root, 'prompts.d.ts'), 'utf8')).toContain('"prompt-99"')
  })
})
