import { once } from 'node:events'
import { type Agent, type IncomingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

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

/** The fields of a form. */
export type Fields = Readonly<Record<string, string | readonly string[]>>

/** Sends a form to the address of its document, as browsers do. */
export function submit(url: string, fields: Fields, more: Question = {}): Promise<Answer> {
  const { origin } = new URL(url)
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((item) => [name, item]),
  )
  const own = {
    origin,
    'content-type': 'application/x-www-form-urlencoded',
    'sec-fetch-site': 'same-origin',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  }
  const body = new URLSearchParams(pairs).toString()
  return ask(url, { method: 'POST', body, ...more, headers: { ...own, ...more.headers } })
}

/** What forms of a document say without a person, in its order. */
export function formsIn(html: string): Fields[] {
  return html
    .split('<form')
    .slice(1)
    .map((form) => {
      const fields: Record<string, string[]> = {}
      const [inside = ''] = form.split('</form>')
      for (const [, name = '', value = ''] of inside.matchAll(
        /type="hidden" name="(\w+)" value="([^"]*)"/g,
      ))
        fields[name] = [...(fields[name] ?? []), unescapeHtml(value)]
      return fields
    })
}

function unescapeHtml(value: string): string {
  return value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')
}

/** The hash of the lock that a document shows. */
export async function lockOn(url: string): Promise<string> {
  const { body } = await ask(url)
  return formsIn(body).flatMap(({ lock = [] }) => lock)[0] ?? ''
}

/** Listens to the events of a page as its script does, until the end of the test. */
export async function openEvents(url: string): Promise<void> {
  const sent = request(`${url}events`, { headers: { 'sec-fetch-site': 'same-origin' } }).end()
  onTestFinished(() => void sent.destroy())
  await once(sent, 'response')
}
