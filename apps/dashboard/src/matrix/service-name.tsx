import { plain } from '@shiplog/text';

/** A name on two lines at most, which breaks after its separators. */
export function ServiceName({ text }: { readonly text: string }) {
  const shown = plain(text);
  return (
    <bdi class="service-name" title={shown}>
      {shown.split(/(?<=[-._/])/).flatMap((part, index) => [...(index > 0 ? [<wbr key={index} />] : []), part])}
    </bdi>
  );
}
