package parley.shell;

import com.getcapacitor.BridgeActivity;

/** The page and its plugins: all of the app that is not in a library. */
public class MainActivity extends BridgeActivity {}
