import { type Agent, type IncomingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A request; headers that are `undefined` are left out. */
export interface Question {
  readonly method?: string
  /** Sent as it is, in place of the path of the URL. */
  readonly path?: string
  readonly agent?: Agent
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: string
}

/** Asks a server. `fetch` would not send a Host or Sec-Fetch header of our choice, and follows redirects. */
export function ask(
  url: string,
  { headers = {}, body, ...options }: Question = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const present = Object.entries(headers).filter(([, value]) => value !== undefined)
    const sent = request(url, { ...options, headers: Object.fromEntries(present) }, (response) => {
      const { statusCode: status = 0 } = response
      text(response).then(
        (said) => resolve({ status, headers: response.headers, body: said }),
        reject,
      )
    })
    sent.on('error', reject).end(body)
  })
}

/** Asks an endpoint of a page, as its script does in a browser. */
export function act(
  url: string,
  name: string,
  { headers, body = '{}', method = 'POST' }: Question = {},
): Promise<Answer> {
  const { origin } = new URL(url)
  const own = {
    origin,
    'content-type': 'application/json',
    'sec-fetch-site': 'same-origin',
    'sec-fetch-mode': 'cors',
    'sec-fetch-dest': 'empty',
  }
  return ask(`${url}api/${name}`, { method, headers: { ...own, ...headers }, body })
}
