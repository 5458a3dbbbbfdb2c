import { channelName, followAll } from './feeds.ts';

const channel = new BroadcastChannel(channelName);
// A tab that connects needs the states of the feeds.
addEventListener(
  'connect',
  followAll((update) => channel.postMessage(update)),
);
