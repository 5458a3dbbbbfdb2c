import { type EChartsOption, init, type LineSeriesOption } from 'echarts';
import { number } from './figure.ts';
import type { Curve, Series } from './outcome.ts';

const size = { width: 720, height: 400 };
const fontFamily = 'system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif';
const ink = { text: '#1f2328', quiet: '#59636e', line: '#d1d9e0' };
const colors = ['#0969da', '#bc4c00', '#8250df', '#1b7c83', '#bf3989', '#57606a', '#9a6700', '#0a3069', '#6e011a'];
/** Symbols that distinguish lines even without colour. */
const symbols = ['circle', 'rect', 'triangle', 'diamond'];

/** With more positions than this, the axis has round numbers, and points have no symbols or values. */
const placesMax = 12;

/**
 * A static SVG on white. A single line shows all its values. Several lines show their names and last values at their
 * ends.
 */
export function plot(curve: Curve): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, ...size });
  try {
    chart.setOption(optionOf(curve));
    return `${chart.renderToSVGString()}\n`;
  } finally {
    chart.dispose();
  }
}

function optionOf({ title, x, y, series }: Curve): EChartsOption {
  const places = [...new Set(series.flatMap(({ points }) => points.map(([place]) => place)))].sort((a, b) => a - b);
  const isDense = places.length > placesMax;
  const ticks = isDense ? {} : { customValues: places };
  const nameTextStyle = { color: ink.quiet, fontSize: 12 };
  const axisLabel = { ...nameTextStyle, hideOverlap: true, formatter: tick };
  return {
    animation: false,
    backgroundColor: '#ffffff',
    textStyle: { fontFamily },
    color: colors,
    title: {
      text: title,
      left: 16,
      top: 18,
      padding: 0,
      textStyle: { color: ink.text, fontSize: 16, fontWeight: 600 },
    },
    grid: { left: 80, right: series.length > 1 ? 160 : 40, top: 84, bottom: 56 },
    xAxis: {
      type: x.logarithmic ? 'log' : 'value',
      name: x.label,
      nameLocation: 'middle',
      nameGap: 30,
      nameTextStyle,
      ...(isDense ? {} : { min: 'dataMin', max: 'dataMax' }),
      axisLine: { lineStyle: { color: ink.quiet } },
      axisTick: ticks,
      axisLabel: { ...axisLabel, ...ticks },
      splitLine: { show: false },
    },
    yAxis: {
      type: y.logarithmic ? 'log' : 'value',
      name: y.label,
      nameTextStyle: { ...nameTextStyle, align: 'left', padding: [0, 0, 6, -64] },
      axisLabel,
      splitLine: { lineStyle: { color: ink.line } },
    },
    series: series.map((each, index) => lineOf(each, index, { isOneOfMany: series.length > 1, isDense })),
  };
}

function lineOf(
  { name, points }: Series,
  index: number,
  { isOneOfMany, isDense }: { readonly isOneOfMany: boolean; readonly isDense: boolean },
): LineSeriesOption {
  return {
    type: 'line',
    name,
    data: points.map(([x, y]) => [x, y]),
    symbol: symbols[index % symbols.length] ?? 'circle',
    symbolSize: isDense ? 0 : 8,
    silent: true,
    emphasis: { disabled: true },
    label: { show: !isOneOfMany && !isDense, color: ink.text, fontSize: 12, formatter: pointText },
    endLabel: {
      show: isOneOfMany,
      color: 'inherit',
      fontSize: 12,
      width: 140,
      overflow: 'break',
      formatter: (point) => `${name} ${pointText(point)}`,
    },
    labelLayout: isOneOfMany ? { moveOverlap: 'shiftY' } : { hideOverlap: true },
  };
}

/** A number on an axis, such as 1,024, 100k or 5M. */
function tick(value: number): string {
  if (value < 100_000) return value.toLocaleString('en');
  return value.toLocaleString('en', { notation: 'compact', maximumSignificantDigits: 3 }).replace('K', 'k');
}

function pointText({ value }: { readonly value: unknown }): string {
  return Array.isArray(value) ? number(Number(value[1])) : '';
}
