import { prompts } from 'virtual:prompts'
import type { VariablesOf } from 'virtual:prompts'

type Props = VariablesOf<typeof prompts.supportTriage>

const h = (tag: unknown, props: object | null, ...children: unknown[]): string =>
  typeof tag === 'function'
    ? tag(props)
    : [tag, Object.values(props ?? {}), children].flat(2).join(' ')

function Triage(props: Props) {
  return <p title={prompts.supportTriage.render({ ticket: props.ticket, tone: props.tone }).text} />
}
function Same({ ticket, tone }: Props) {
  return <p>{prompts.supportTriage.render({ ticket, tone }).text}</p>
}
function Form(props: { values: Props }) {
  return <p>{prompts.supportTriage.render(props.values).text}</p>
}
const input = { ticket: 'T7', tone: 'calm' }

export const page = (
  <main>
    <Triage ticket="T7" tone={'calm'} />
    <Same tone="calm" ticket={input.ticket} />
    <Form values={{ ticket: 'T7', tone: 'calm' }} />
    <p>{prompts.supportTriage.render(input).text}</p>
  </main>
)
