import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { fingerprintFiles, watchFiles } from '../../../src/fs/watch.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

test('a change during a slow reload is reported after an interval without another, too', async () => {
  const path = join(await temporaryFolder({ a: '' }), 'a')
  const fingerprint = await fingerprintFiles(path)
  const interval = 20
  const ends: number[] = []
  const starts: number[] = []
  const second = new Promise<void>((resolve) => {
    const onChange = async (): Promise<void> => {
      if (starts.push(performance.now()) > 1) return resolve()
      // Longer than several intervals.
      await delay(5 * interval)
      await writeFile(path, 'second')
      ends.push(performance.now())
    }
    const watcher = watchFiles({ paths: [path], fingerprint, interval, onChange })
    onTestFinished(() => watcher.close())
  })
  await writeFile(path, 'first')
  await second
  expect(starts.length).toBe(2)
  expect((starts[1] ?? 0) - (ends[0] ?? 0)).toBeGreaterThan(interval)
})
