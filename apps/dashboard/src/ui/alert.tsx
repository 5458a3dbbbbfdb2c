export function Alert({ text }: { readonly text: string | undefined }) {
  return text === undefined ? null : (
    <p class="fault" role="alert">
      {text}
    </p>
  );
}
