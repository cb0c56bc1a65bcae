import { prompts } from 'virtual:prompts'
import type { VariablesOf } from 'virtual:prompts'

type Props = VariablesOf<typeof prompts.supportTriage>

const h = (tag: unknown, props: object | null, ...children: unknown[]): string =>
  typeof tag === 'function'
    ? tag(props)
    : [tag, Object.values(props ?? {}), children].flat(2).join(' ')

function Triage(props: Props) {
  return <p title={prompts.supportTriage.render({ message: props.message, tone: props.tone }).text} />
}
function Same({ message: ticket, tone }: Props) {
  return <p>{prompts.supportTriage.render({ message: ticket, tone }).text}</p>
}
function Form(props: { values: Props }) {
  return <p>{prompts.supportTriage.render(props.values).text}</p>
}
const input = { message: 'T7', tone: 'calm' }

export const page = (
  <main>
    <Triage message="T7" tone={'calm'} />
    <Same tone="calm" message={input.message} />
    <Form values={{ message: 'T7', tone: 'calm' }} />
    <p>{prompts.supportTriage.render(input).text}</p>
  </main>
)
