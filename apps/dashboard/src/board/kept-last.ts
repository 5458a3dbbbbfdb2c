/** The same function; called with the same arguments again, it returns the last result. */
export function keptLast<Asked extends readonly unknown[], Answer>(
  answerTo: (...asked: Asked) => Answer,
): (...asked: Asked) => Answer {
  let last: { readonly asked: Asked; readonly answer: Answer } | undefined;
  return (...asked) => {
    if (!last || asked.some((each, index) => !Object.is(each, last?.asked[index]))) {
      last = { asked, answer: answerTo(...asked) };
    }
    return last.answer;
  };
}
