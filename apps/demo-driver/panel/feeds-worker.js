import { channelName, followAll } from './feeds.js';

const channel = new BroadcastChannel(channelName);
// A tab that joins has to be told how the feeds are.
addEventListener(
  'connect',
  followAll((news) => channel.postMessage(news)),
);
