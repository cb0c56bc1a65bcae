// What the nightly checks of frameworks run: commands, and servers that it asks for pages.
import assert from 'node:assert'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NO_COLOR: '1', CI: '1' }

/** How long a server may take to answer as a step needs, in milliseconds. */
const TIMEOUT = 120_000

/** Runs a command and returns its exit code, its output and its duration in seconds. */
export async function run(cwd, [program, ...args], variables = {}) {
  const begin = performance.now()
  const child = spawn(program, args, { cwd, env: { ...env, ...variables } })
  const output = collect(child)
  const [code] = await once(child, 'close')
  return { code, output: output.join(''), seconds: (performance.now() - begin) / 1000 }
}

/** The same for a command that has to succeed. */
export async function succeed(cwd, command, variables) {
  const result = await run(cwd, command, variables)
  assert.equal(result.code, 0, `${command.join(' ')}\n${result.output}`)
  return result
}

/** Starts a server of the app on a port; `ask` repeats a request until its answer fits. */
export async function serveCommand(cwd, command, variables = {}) {
  const port = await freePort()
  const [program, ...args] = command(String(port))
  // Its own group: frameworks start processes that outlive them.
  const child = spawn(program, args, {
    cwd,
    env: { ...env, ...variables, PORT: String(port) },
    detached: true,
  })
  const output = collect(child)
  return {
    output,
    url: `http://127.0.0.1:${port}`,
    async ask(path, fits) {
      let last
      const isFitting = async () => {
        last = await answerOf(`http://127.0.0.1:${port}${path}`)
        return last !== undefined && fits(last)
      }
      const message = () =>
        `${path}: ${JSON.stringify(last)?.slice(0, 500)}\n${output.join('').slice(0, 5000)}`
      const seconds = await until(isFitting, message, 100)
      return { ...last, seconds }
    },
    /** Waits until something is true of the output, and returns the seconds. */
    until: (isTrue, what) => until(isTrue, () => `no ${what}:\n${output.join('')}`),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const closed = once(child, 'close')
      // Turborepo ends its tasks only if it can. They are in groups of their own.
      process.kill(-child.pid, 'SIGTERM')
      await Promise.race([closed, delay(5000)])
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGKILL')
      await closed
    },
  }
}

/** Waits until something is true, and returns the seconds; asks again after an interval in ms. */
async function until(isTrue, message, interval = 20) {
  const begin = performance.now()
  while (!(await isTrue())) {
    if (performance.now() - begin > TIMEOUT) throw new Error(message())
    await delay(interval)
  }
  return (performance.now() - begin) / 1000
}

/** Gives a started server to a step, and stops it at the end. */
export async function withServer(started, step) {
  const server = await started
  try {
    return await step(server)
  } finally {
    await server.stop()
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  await new Promise((done) => server.close(done))
  return port
}

async function answerOf(url) {
  try {
    const response = await fetch(url)
    const { status, headers } = response
    return { status, header: headers.get('x-prompt'), text: await response.text() }
  } catch {
    return undefined
  }
}

function collect(child) {
  const output = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => output.push(`${data}`))
  }
  return output
}
