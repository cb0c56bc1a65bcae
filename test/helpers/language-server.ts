import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { onTestFinished } from 'vitest'

const MODULES = resolve(import.meta.dirname, '../../node_modules')

/** A place that go-to-definition leads to; lines and columns are counted from 1. */
export interface Definition {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** A language server that a test drives; it ends with the test. */
export interface LanguageServer {
  open(file: string, text: string): void
  definition(file: string, line: number, column: number): Promise<Definition[]>
}

type Json = Readonly<Record<string, unknown>>

/** TypeScript 6's tsserver, as editors start it. */
export function startTsserver(): LanguageServer {
  const server = startNode([`${MODULES}/typescript/lib/tsserver.js`])
  const wire = connect(server, (message) => message['request_seq'])
  let seq = 0
  const send = (command: string, args: Json): number => {
    const request = { seq: ++seq, type: 'request', command, arguments: args }
    server.stdin?.write(`${JSON.stringify(request)}\n`)
    return seq
  }
  return {
    open: (file, fileContent) => void send('open', { file, fileContent }),
    async definition(file, line, offset) {
      const { body } = await wire.answer(send('definition', { file, line, offset }))
      return (body as { file: string; start: { line: number; offset: number } }[]).map(
        ({ file: target, start }) => ({ file: target, line: start.line, column: start.offset }),
      )
    },
  }
}

/** TypeScript 7's language server, as editors start it. */
export async function startTypeScript7(root: string): Promise<LanguageServer> {
  const server = startNode([`${MODULES}/typescript-7/bin/tsc`, '--lsp', '--stdio'])
  const wire = connect(server, (message) => ('method' in message ? undefined : message['id']))
  let id = 0
  const send = (message: Json): void => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    server.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }
  const request = (method: string, params: Json): Promise<Json> => {
    send({ id: ++id, method, params })
    return wire.answer(id)
  }
  wire.onRequest((message) => send({ id: message['id'], result: null }))
  await request('initialize', { processId: null, rootUri: `file://${root}`, capabilities: {} })
  send({ method: 'initialized', params: {} })
  return {
    open(file, text) {
      const textDocument = { uri: `file://${file}`, languageId: 'typescript', version: 1, text }
      send({ method: 'textDocument/didOpen', params: { textDocument } })
    },
    async definition(file, line, column) {
      const { result } = await request('textDocument/definition', {
        textDocument: { uri: `file://${file}` },
        position: { line: line - 1, character: column - 1 },
      })
      return [result ?? []].flat().map((location) => {
        const { uri, range } = location as Location
        const { start } = range
        return {
          file: uri.replace('file://', ''),
          line: start.line + 1,
          column: start.character + 1,
        }
      })
    },
  }
}

interface Location {
  readonly uri: string
  readonly range: { readonly start: { readonly line: number; readonly character: number } }
}

function startNode(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
}

/** Reads messages with a `Content-Length` and hands each to whoever waits for its number. */
function connect(
  server: ChildProcess,
  numberOf: (message: Json) => unknown,
): {
  answer: (number: number) => Promise<Json>
  onRequest: (handle: (message: Json) => void) => void
} {
  const waiting = new Map<unknown, (message: Json) => void>()
  let handleRequest: (message: Json) => void = () => {}
  let buffer = Buffer.alloc(0)
  server.stdout?.on('data', (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk])
    for (let message = take(); message !== undefined; message = take()) {
      if ('method' in message && 'id' in message) handleRequest(message)
      waiting.get(numberOf(message))?.(message)
    }
  })
  onTestFinished(() => void server.kill())
  return {
    answer: (number) => new Promise((done) => waiting.set(number, done)),
    onRequest: (handle) => void (handleRequest = handle),
  }

  function take(): Json | undefined {
    const head = buffer.indexOf('\r\n\r\n')
    const length = Number(/Content-Length: (\d+)/.exec(buffer.subarray(0, head).toString())?.[1])
    const end = head + 4 + length
    if (head === -1 || buffer.length < end) return undefined
    const text = buffer.subarray(head + 4, end).toString()
    buffer = buffer.subarray(end)
    return JSON.parse(text) as Json
  }
}
