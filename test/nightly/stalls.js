// The whole suite with one worker, whose processes are stopped and continued in turn, as by a paused virtual
// machine or a laptop that swaps: whatever depends on the speed of the machine fails.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { REPOSITORY } from './apps/files.js'
import { VITEST } from './apps/tests.js'

/** Milliseconds. */
const [RUNNING, STOPPED] = [1000, 700]

// A process group of its own, which its children join.
const tests = spawn(process.execPath, [...VITEST, '--maxWorkers=1', ...process.argv.slice(2)], {
  cwd: REPOSITORY,
  detached: true,
  stdio: 'inherit',
})
const ended = once(tests, 'exit')
const signal = (name) => process.kill(-tests.pid, name)
const isRunning = () => tests.exitCode === null && tests.signalCode === null

for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => signal('SIGKILL'))

while (isRunning()) {
  await Promise.race([sleep(RUNNING), ended])
  if (!isRunning()) break
  signal('SIGSTOP')
  await sleep(STOPPED)
  signal('SIGCONT')
}
const [code] = await ended
process.exitCode = code ?? 1
