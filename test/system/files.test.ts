import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { writeText } from '../../src/fs/write-file.ts'
import { giveAway, run, start } from '../helpers/child-process.ts'
import { rejection } from '../helpers/service-client.ts'
import { SOON } from '../helpers/soon.ts'
import { sweepRuns } from '../helpers/sweep.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

/** A folder with a file in it. */
async function folderWith(text: string): Promise<{ root: string; path: string }> {
  const root = await temporaryFolder({ 'prompts.lock.json': text })
  return { root, path: join(root, 'prompts.lock.json') }
}

/** Prints how a write ended, for a user without special rights. */
const WRITE = `
import { readText } from 'src/fs/files.ts'
import { writeText } from 'src/fs/write-file.ts'
const [path, root] = process.argv.slice(2)
const work = root === undefined ? readText(path) : writeText(path, 'new', root)
console.log(await work.catch(({ code, details }) => code + ': ' + details.path + ': ' + details.reason))
`

test.each<[title: string, modes: { root?: number; path?: number }, want: string]>([
  ['a file in a read-only folder is an error', { root: 0o555 }, 'UNWRITABLE'],
  ['a read-only file is an error though its folder can be written', { path: 0o444 }, 'UNWRITABLE'],
  ['a file that may not be read is an error', { path: 0o000 }, 'UNREADABLE'],
  ['the same program writes with permission', {}, ''],
])(
  'without special rights, %s, and an old file stays',
  async (_, { root: ofRoot, path: ofPath }, want) => {
    const { root, path } = await folderWith('old')
    await Promise.all([giveAway(root), giveAway(path)])
    if (ofRoot !== undefined) await chmod(root, ofRoot)
    if (ofPath !== undefined) await chmod(path, ofPath)
    const output = await run({ code: WRITE, args: want === 'UNREADABLE' ? [path] : [path, root] })
    // Otherwise nobody but root could read or remove it.
    await Promise.all([chmod(root, 0o755), chmod(path, 0o644)])
    expect(output).toBe(want === '' ? 'written\n' : `FILE_${want}: ${path}: permission denied\n`)
    expect(await readFile(path, 'utf8')).toBe(want === '' ? 'new' : 'old')
    expect(await readdir(root)).toEqual(['prompts.lock.json'])
  },
)

test.for<[title: string, disk: string, isReadOnly: boolean, text: string, reason: string]>([
  ['that is full', 'size=64k', false, 'x'.repeat(200_000), 'the disk is full'],
  ['without free inodes', 'nr_inodes=2', false, 'new', 'the disk is full'],
  ['that is read-only', 'size=64k', true, 'new', 'the file system is read-only'],
])(
  'a disk %s is an error that says so; the old file stays complete and nothing is left behind',
  async ([, disk, isReadOnly, text, reason], { skip }) => {
    const root = (await mountDisk(disk)) ?? skip('this user may not mount a file system')
    const path = join(root, 'prompts.lock.json')
    await writeFile(path, 'old')
    if (isReadOnly) await remount(root, 'ro')
    for (const target of isReadOnly ? [path, join(root, 'new')] : [path]) {
      expect(await rejection(writeText(target, text, root))).toMatchObject({
        code: 'FILE_UNWRITABLE',
        details: { path: target, reason },
      })
    }
    expect(await readFile(path, 'utf8')).toBe('old')
    expect(await readdir(root)).toEqual(['prompts.lock.json'])
  },
)

/** Writes two texts in turn without an end, and prints a line after the first. */
const ALTERNATE = `
import { writeText } from 'src/fs/write-file.ts'
const [path, root] = process.argv.slice(2)
for (let turn = 0; ; turn++) {
  await writeText(path, (turn % 2 === 0 ? 'a' : 'b').repeat(3_000_000), root)
  if (turn === 0) console.log('begun')
}
`

test('temporary files are those of the process that writes', async () => {
  const { root, path } = await folderWith('old')
  await Promise.all([giveAway(root), giveAway(path)])
  const child = await start({ code: ALTERNATE, args: [path, root] })
  if (child.stdout) await once(child.stdout, 'data')
  const names = new Set<string>()
  while (names.size < 2) for (const name of await readdir(root)) names.add(name)
  child.kill('SIGKILL')
  const made = [...names].find((name) => name !== 'prompts.lock.json') ?? ''
  expect(made.replace(/-[\da-f-]{36}\.tmp$/, '')).toBe(`.prompts.lock.json.prompts-${child.pid}`)
})

test('a write that is killed at any moment leaves the complete old or new text', async () => {
  const { root, path } = await folderWith('old')
  await Promise.all([giveAway(root), giveAway(path)])
  for (let round = 0; round < sweepRuns(40); round++) {
    const child = await start({ code: ALTERNATE, args: [path, root] })
    if (child.stdout) await once(child.stdout, 'data')
    await delay((round % 8) * 14)
    child.kill('SIGKILL')
    await once(child, 'close')
    const text = await readFile(path, 'utf8')
    expect(text === 'a'.repeat(3_000_000) || text === 'b'.repeat(3_000_000)).toBe(true)
  }
  for (const name of await readdir(root)) await utimes(join(root, name), 0, 0)
  await writeText(path, 'new', root)
  expect(await readdir(root)).toEqual(['prompts.lock.json'])
})

const execute = promisify(execFile)

/**
 * A folder that is a disk of its own.
 *
 * @param options - of `mount -t tmpfs`, such as `size=64k`
 * @returns `undefined` if this user may not mount
 */
async function mountDisk(options: string): Promise<string | undefined> {
  const folder = await temporaryFolder()
  try {
    await execute('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder])
  } catch {
    return undefined
  }
  onTestFinished(async () => {
    await execute('umount', [folder])
  })
  return folder
}

/** Changes the options of a disk. */
async function remount(folder: string, options: string): Promise<void> {
  await execute('mount', ['-o', `remount,${options}`, folder])
}

/** Waits for each round, takes the mark of the file, and prints whether somebody else is at work. */
const CONTEND = `
import { existsSync, writeFileSync, rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { withFileLock } from 'src/fs/file-lock.ts'
const [path] = process.argv.slice(2)
for (let round = 0; ; round++) {
  while (!existsSync(path + round)) await delay(0)
  await withFileLock({ path, waitTimeout: 600_000 }, async () => {
    try {
      writeFileSync(path + '.inside', '', { flag: 'wx' })
      await delay(5)
      rmSync(path + '.inside')
      console.log('alone')
    } catch {
      console.log('together')
    }
  })
}
`

test('six processes that take over the mark of a dead one work one after the other', async () => {
  const { root, path } = await folderWith('old')
  await giveAway(root)
  const children = await Promise.all(
    Array.from({ length: 6 }, () => start({ code: CONTEND, args: [path] })),
  )
  let output = ''
  for (const child of children)
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text))
  const rounds = sweepRuns(60)
  const mark = join(root, '.prompts.lock.json.pulling')
  for (let round = 0; round < rounds; round++) {
    await mkdir(join(mark, '1-dead'), { recursive: true })
    await Promise.all([giveAway(mark), giveAway(join(mark, '1-dead'))])
    await utimes(mark, 0, 0)
    await writeFile(`${path}${round}`, '')
    const end = 6 * (round + 1)
    await vi.waitFor(() => expect(output.split('\n')).toHaveLength(end + 1), SOON)
    await vi.waitFor(() => expect(existsSync(mark)).toBe(false), SOON)
  }
  for (const child of children) child.kill('SIGKILL')
  expect(output).toBe('alone\n'.repeat(6 * rounds))
})
