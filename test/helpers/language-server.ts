import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const MODULES = resolve(import.meta.dirname, '../../node_modules')

/** A place in a file; lines and columns are counted from 1. */
export interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** A language server, which works on any number of apps. */
export interface LanguageServer {
  close(): void
  open(file: string, text: string): void
  definition(at: Place): Promise<Place[]>
  /** What is shown at a place: the type and its comments. */
  hover(at: Place): Promise<string>
}

/** Starts of the language servers that editors run, by the compiler that they belong to. */
export const LANGUAGE_SERVERS: Readonly<
  Record<string, () => LanguageServer | Promise<LanguageServer>>
> = { 'TypeScript 6': startTsserver, 'TypeScript 7': startTypeScript7 }

type Json = Readonly<Record<string, unknown>>

function startTsserver(): LanguageServer {
  const server = startNode([`${MODULES}/typescript/lib/tsserver.js`])
  const wire = connect(server, (message) => message['request_seq'])
  let seq = 0
  const send = (command: string, args: Json): number => {
    const request = { seq: ++seq, type: 'request', command, arguments: args }
    server.stdin?.write(`${JSON.stringify(request)}\n`)
    return seq
  }
  const ask = async <Body>(command: string, args: Json): Promise<Body> => {
    const { body } = await wire.answer(send(command, args))
    return body as Body
  }
  return {
    close: () => void server.kill(),
    open: (file, fileContent) => void send('open', { file, fileContent }),
    async definition(place) {
      const found = await ask<TsserverSpan[]>('definition', spanOf(place))
      return found.map(({ file, start: { line, offset } }) => ({ file, line, column: offset }))
    },
    hover: async (place) => JSON.stringify(await ask<unknown>('quickinfo', spanOf(place))),
  }
}

function spanOf({ file, line, column }: Place): Json {
  return { file, line, offset: column }
}

interface TsserverSpan {
  readonly file: string
  readonly start: { readonly line: number; readonly offset: number }
}

async function startTypeScript7(): Promise<LanguageServer> {
  const server = startNode([`${MODULES}/typescript-7/bin/tsc`, '--lsp', '--stdio'])
  const wire = connect(server, (message) => ('method' in message ? undefined : message['id']))
  let id = 0
  const send = (message: Json): void => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    server.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }
  const ask = async <Result>(method: string, params: Json): Promise<Result> => {
    send({ id: ++id, method, params })
    const { result } = await wire.answer(id)
    return result as Result
  }
  wire.onRequest((message) => send({ id: message['id'], result: null }))
  await ask('initialize', { processId: null, rootUri: null, capabilities: {} })
  send({ method: 'initialized', params: {} })
  return {
    close: () => void server.kill(),
    open(file, text) {
      const textDocument = { ...documentOf(file), languageId: 'typescript', version: 1, text }
      send({ method: 'textDocument/didOpen', params: { textDocument } })
    },
    async definition(place) {
      const found = await ask<Location | Location[] | null>('textDocument/definition', at(place))
      return [found ?? []].flat().map(placeOf)
    },
    hover: async (place) => JSON.stringify(await ask<unknown>('textDocument/hover', at(place))),
  }
}

interface Location {
  readonly uri: string
  readonly range: { readonly start: { readonly line: number; readonly character: number } }
}

function documentOf(file: string): { uri: string } {
  return { uri: pathToFileURL(file).href }
}

function at({ file, line, column }: Place): Json {
  return { textDocument: documentOf(file), position: { line: line - 1, character: column - 1 } }
}

function placeOf({ uri, range: { start } }: Location): Place {
  return { file: fileURLToPath(uri), line: start.line + 1, column: start.character + 1 }
}

function startNode(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
}

/** Reads messages with a `Content-Length` and resolves the request with the same id. */
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
