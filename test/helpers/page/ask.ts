import { once } from 'node:events'
import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, vi } from 'vitest'
import { SOON } from '../soon.ts'

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

/** What the forms of a document send without a person, in its order. */
export function formsIn(html: string): Fields[] {
  return elementsIn(html, 'form').map(fieldsOf)
}

/** What the form of a button sends without a person. */
export async function formOf(url: string, button: string): Promise<Fields> {
  const forms = elementsIn((await ask(url)).body, 'form')
  const form = forms.find((inside) => buttonsIn(inside).includes(button))
  if (form === undefined) throw new Error(`${url} has no button ${button}.`)
  return fieldsOf(form)
}

/** The labels of the buttons of a document. */
export function buttonsIn(html: string): string[] {
  const labelOf = (button: string): string | undefined =>
    /^[^>]*aria-label="([^"]*)"/.exec(button)?.[1]
  return elementsIn(html, 'button').map((button) => labelOf(button) ?? textOf(button))
}

/** The texts of elements of a document, without tags. The element may have the beginning of its attributes. */
export function textsIn(html: string, element: string): string[] {
  return elementsIn(html, element).map(textOf)
}

function elementsIn(html: string, element: string): string[] {
  const end = `</${element.split(' ', 1).join()}>`
  const parts = html.split(`<${element}`).slice(1)
  return parts.map((part) => part.split(end, 1).join())
}

function textOf(element: string): string {
  const texts = element.slice(element.indexOf('>') + 1).split(/<[^>]*>|\s+/)
  return unescapeHtml(texts.filter((word) => word !== '').join(' '))
}

function fieldsOf(form: string): Fields {
  const fields: Record<string, string[]> = {}
  for (const [, name = '', value = ''] of form.matchAll(/"hidden" name="(\w+)" value="([^"]*)"/g))
    fields[name] = [...(fields[name] ?? []), unescapeHtml(value)]
  return fields
}

function unescapeHtml(value: string): string {
  return value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')
}

/** The document at an address or behind it, once no analysis of the code runs. */
export function settled(url: string): Promise<string> {
  return vi.waitFor(async () => {
    const { headers, body } = await ask(url)
    if (headers.location !== undefined) return settled(new URL(headers.location, url).href)
    expect(body).not.toContain('http-equiv="refresh"')
    return body
  }, SOON)
}

/**
 * Presses a button as a browser without a script does, and returns the document that it leads to.
 *
 * @param typed - what differs from what the form says
 */
export async function press(url: string, button: string, typed: Fields = {}): Promise<string> {
  return send(url, { ...(await formOf(url, button)), ...typed })
}

/** The document behind a form, once no analysis of the code runs. */
export async function send(url: string, fields: Fields): Promise<string> {
  const { headers, body } = await submit(url, fields)
  return headers.location ? settled(new URL(headers.location, url).href) : body
}

/**
 * Listens to the events of a page as its script does, until the end of the test.
 *
 * @returns what has come so far
 */
export async function openEvents(url: string): Promise<() => string> {
  const sent = request(`${url}events`, { headers: { 'sec-fetch-site': 'same-origin' } }).end()
  onTestFinished(() => void sent.destroy())
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  let said = ''
  response.setEncoding('utf8').on('data', (chunk: string) => (said += chunk))
  return () => said
}
