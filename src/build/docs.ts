import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const PICTURE = /^!\[.*\n\n/gm

/** Copies the users' pages into the package, without their pictures, which it does not contain. */
export async function writeDocs(source: string, folder: string): Promise<void> {
  await cp(source, folder, { recursive: true })
  for (const page of await readdir(folder, { recursive: true })) {
    if (!page.endsWith('.md')) continue
    const text = await readFile(join(folder, page), 'utf8')
    await writeFile(join(folder, page), text.replaceAll(PICTURE, ''))
  }
}
