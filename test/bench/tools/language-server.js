import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { cleanEnvironment } from './process.js'
import { REPOSITORY } from './workspace.js'

/**
 * What an editor waits for when it completes at the end of a file.
 *
 * @returns `first`, the time until the file is checked and completed; `again`, of a further
 *   completion; `names`, how many there are
 */
export async function completionTime(server, { root, file }) {
  const client = await SERVERS[server](root, file)
  try {
    const started = performance.now()
    await client.check()
    await client.complete()
    const loaded = performance.now()
    const names = await client.complete()
    return { first: loaded - started, again: performance.now() - loaded, names }
  } finally {
    client.close()
  }
}

const SERVERS = {
  /** `tsserver`, as editors run it for TypeScript 6. */
  async typescript(_, file) {
    const script = join(REPOSITORY, 'node_modules/typescript/bin/tsserver')
    const text = readFileSync(file, 'utf8')
    const { line, column } = endOf(text)
    const { write, answer, close } = start(script, ['--disableAutomaticTypingAcquisition'])
    let sequence = 0
    const ask = (command, args) => {
      const id = ++sequence
      const done = answer(({ request_seq: of }) => of === id)
      write(`${JSON.stringify({ seq: id, type: 'request', command, arguments: args })}\n`)
      return done
    }
    // As editors do: names that want `['…']` are offered too.
    const preferences = { includeCompletionsWithInsertText: true }
    await ask('configure', { preferences })
    write(`${JSON.stringify({ seq: 0, type: 'request', command: 'open', arguments: { file } })}\n`)
    return {
      close,
      check: () => ask('semanticDiagnosticsSync', { file }),
      async complete() {
        const { body } = await ask('completionInfo', { file, line: line + 1, offset: column + 1 })
        return body.entries.length
      },
    }
  },
  /** `tsc --lsp`, as editors run it for TypeScript 7. */
  async 'typescript-7'(root, file) {
    const script = join(REPOSITORY, 'node_modules/typescript-7/bin/tsc')
    const text = readFileSync(file, 'utf8')
    const uri = pathToFileURL(file).href
    const { line, column: character } = endOf(text)
    const { write, answer, onMessage, close } = start(script, ['--lsp', '--stdio'])
    let sequence = 0
    const send = (message) => {
      const body = JSON.stringify({ jsonrpc: '2.0', ...message })
      write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
    }
    const ask = async (method, params) => {
      const id = ++sequence
      const done = answer((message) => message.id === id && message.method === undefined)
      send({ id, method, params })
      const { result, error } = await done
      if (error !== undefined) throw new Error(`${method}: ${error.message}`)
      return result
    }
    // It asks for settings and the like, and waits for the answer.
    onMessage(({ id, method, params }) => {
      if (id === undefined || method === undefined) return
      send({
        id,
        result: method === 'workspace/configuration' ? params.items.map(() => null) : null,
      })
    })
    await ask('initialize', {
      processId: process.pid,
      rootUri: pathToFileURL(root).href,
      capabilities: { textDocument: { diagnostic: {}, completion: {} } },
    })
    send({ method: 'initialized', params: {} })
    const textDocument = { uri, languageId: 'typescript', version: 1, text }
    send({ method: 'textDocument/didOpen', params: { textDocument } })
    return {
      close,
      check: () => ask('textDocument/diagnostic', { textDocument: { uri } }),
      async complete() {
        const position = { line, character }
        const result = await ask('textDocument/completion', { textDocument: { uri }, position })
        return (result.items ?? result).length
      },
    }
  },
}

function endOf(text) {
  const lines = text.split('\n')
  return { line: lines.length - 1, column: lines.at(-1).length }
}

function start(script, args) {
  const child = spawn(process.execPath, [script, ...args], {
    env: cleanEnvironment({}),
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  let waiting = []
  let listen = () => {}
  const receive = messageReader((message) => {
    listen(message)
    const done = waiting.filter(({ fits }) => fits(message))
    waiting = waiting.filter((entry) => !done.includes(entry))
    for (const { resolve } of done) resolve(message)
  })
  child.stdout.on('data', receive)
  return {
    write: (text) => child.stdin.write(text),
    answer: (fits) =>
      new Promise((resolve) => {
        waiting.push({ fits, resolve })
      }),
    onMessage: (listener) => (listen = listener),
    close: () => child.kill(),
  }
}

/** Cuts a stream into messages; a large one comes in many chunks and is put together once. */
function messageReader(onMessage) {
  let chunks = []
  let size = 0
  let wanted = 0
  return (chunk) => {
    chunks.push(chunk)
    size += chunk.length
    while (size > 0 && size >= wanted) {
      const buffer = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
      chunks = [buffer]
      const head = buffer.indexOf('\r\n\r\n')
      if (head === -1) return
      const length = /Content-Length: (\d+)/i.exec(buffer.toString('latin1', 0, head))?.[1]
      wanted = head + 4 + Number(length)
      if (size < wanted) return
      onMessage(JSON.parse(buffer.toString('utf8', head + 4, wanted)))
      chunks = [buffer.subarray(wanted)]
      size -= wanted
      wanted = 0
    }
  }
}
