import { VARIABLES } from './prompts.js'

/**
 * What a person would write for prompts without this package: one function for each, with the
 * check of its variables and the same result.
 *
 * @param nameOf - the export of each
 */
export function handWritten(prompts, nameOf) {
  return HEAD + prompts.map((prompt) => printFunction(prompt, nameOf(prompt))).join('')
}

const HEAD = `
function usable(value) {
  const type = typeof value
  return type === 'string' || type === 'number' || type === 'boolean' || type === 'bigint'
}

function refuse(values) {
  const missing = Object.keys(values).filter((name) => !usable(values[name]))
  throw new Error('no usable value for ' + missing.join(', '))
}
`

function printFunction({ system, user }, name) {
  const check = VARIABLES.map((variable) => `usable(${variable})`).join(' && ')
  return `
export function ${name}({ ${VARIABLES.join(', ')} }) {
  if (!(${check})) refuse({ ${VARIABLES.join(', ')} })
  const system = ${concatenation(system)}
  const user = ${concatenation(user)}
  return {
    system,
    user,
    text: system + '\\n\\n' + user,
    messages: [{ role: 'system', content: system }, { role: 'user', content: user }],
  }
}
`
}

function concatenation(text) {
  return text
    .split(/\{\{\s*(\w+)\s*\}\}/)
    .map((part, index) => (index % 2 === 0 ? JSON.stringify(part) : part))
    .join(' + ')
}
