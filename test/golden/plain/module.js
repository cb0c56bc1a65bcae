// virtual:prompts
export * as prompts from "virtual:prompts/all"
export {
  PromptVariableError,
  toAISDK,
  toAISDK6,
  toAnthropic,
  toOpenAI,
  toOpenAIResponses,
  toSpanAttributes,
} from "virtual:prompts/runtime"

// virtual:prompts/all
export {
  p0 as "sql-explainer",
  p0 as sqlExplainer,
  p1 as "support-triage",
  p1 as supportTriage,
  p2 as welcome,
} from "virtual:prompts/definitions"

// virtual:prompts/definitions
import { compose, definePrompt } from "virtual:prompts/runtime"
export const p0 = /* @__PURE__ */ definePrompt("sql-explainer", "v3", "engineering", "gpt-5-mini", 0, "live", (v, s) => compose("You explain SQL to beginners.", "", ""))
export const p1 = /* @__PURE__ */ definePrompt("support-triage", "v22", "support", "gpt-5", 0.2, "live", (v, s) => compose("You triage support tickets of " + s("{{ company }}", v["company"], v) + ".\n\nAnswer with one word: bug, question or billing.\n", "Ticket:\n" + s("{{ ticket }}", v["ticket"], v), "\n\n"))
export const p2 = /* @__PURE__ */ definePrompt("welcome", "2024-06", "", "claude-opus-4", 1, "live", (v, s) => compose("", "Write a welcome for " + s("{{ name }}", v["name"], v) + ".", ""))

// virtual:prompts, where names must be identifiers
import { p0 } from "virtual:prompts/definitions"
import { p1 } from "virtual:prompts/definitions"
import { p2 } from "virtual:prompts/definitions"
export const prompts = {
  __proto__: null,
  ["sql-explainer"]: p0,
  ["sqlExplainer"]: p0,
  ["support-triage"]: p1,
  ["supportTriage"]: p1,
  ["welcome"]: p2,
}
export {
  PromptVariableError,
  toAISDK,
  toAISDK6,
  toAnthropic,
  toOpenAI,
  toOpenAIResponses,
  toSpanAttributes,
} from "virtual:prompts/runtime"
