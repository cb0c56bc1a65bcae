import { json } from 'node:stream/consumers'
import { startLocalServer } from './local-server.ts'

type Body = Readonly<Record<string, unknown>>

interface ModelService {
  readonly url: string
  /** What it was sent, also what it refused. */
  readonly bodies: readonly Body[]
}

/** Stands for the services of OpenAI and Anthropic, and refuses what they refuse. */
export async function startModelService(): Promise<ModelService> {
  const bodies: Body[] = []
  const url = await startLocalServer(async (request, response) => {
    const path = request.url ?? ''
    const body = (await json(request)) as Body
    const reason = refusal(path, body)
    bodies.push(body)
    response.statusCode = reason === undefined ? 200 : 400
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify(reason === undefined ? answer(path) : { error: { message: reason } }),
    )
  })
  return { url, bodies }
}

/** Models that have no temperature. */
const REASONING = /^(?:gpt-5|claude-opus-4-7)/

/** Why the real services answer 400 to a request; `undefined` if they accept it. */
function refusal(path: string, body: Body): string | undefined {
  if (/""|\[\]/.test(JSON.stringify(body))) return 'empty text or list'
  if (body['temperature'] !== undefined && REASONING.test(String(body['model'])))
    return 'temperature'
  const needed = path.endsWith('/responses') ? 'input' : 'messages'
  return body[needed] === undefined ? `${needed} is required` : undefined
}

function answer(path: string): object {
  const text = 'Which model is it?'
  if (path.endsWith('/completions'))
    return { choices: [{ index: 0, message: { role: 'assistant', content: text } }] }
  if (path.endsWith('/messages')) return { role: 'assistant', content: [{ type: 'text', text }] }
  const content = [{ type: 'output_text', text, annotations: [] }]
  return {
    id: 'response',
    model: 'gpt-5',
    created_at: 1,
    output: [{ type: 'message', id: 'message', role: 'assistant', content }],
    usage: { input_tokens: 1, output_tokens: 1 },
  }
}
